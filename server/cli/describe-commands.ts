import type { Command } from 'commander';
import { createProgram } from './program.ts';

/** The commands as Markdown, for the documentation. */
export function describeCommands(): string {
  const program = createProgram();
  const shared = `Options of every command:\n\n${optionsOf(program)}\n`;
  return [shared, ...visibleCommands(program).flatMap((command) => describe(command, 'faxdesk'))].join('\n');
}

/** Without those that only programs run. */
function visibleCommands(program: Command): Command[] {
  const visible = program.createHelp().visibleCommands(program);
  return program.commands.filter((command) => visible.includes(command));
}

function describe(command: Command, parent: string): string[] {
  const name = `${parent} ${command.name()}`;
  if (command.commands.length > 0) return command.commands.flatMap((child) => describe(child, name));
  const words = command.registeredArguments.map((argument) => {
    const word = argument.variadic ? `${argument.name()}…` : argument.name();
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  const options = optionsOf(command);
  const heading = `## \`${[name, ...words].join(' ')}\``;
  return [`${heading}\n\n${command.description()}\n${options ? `\n${options}\n` : ''}`];
}

function optionsOf(command: Command): string {
  const rows = command.options.map(
    // Outside code a word in angle brackets is taken for a tag and not shown.
    ({ flags, description }) => `| \`${flags}\` | ${description.replaceAll('<', '\\<')} |`,
  );
  return rows.length === 0 ? '' : `| Option | Meaning |\n|---|---|\n${rows.join('\n')}`;
}
