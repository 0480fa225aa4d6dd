import type { Command } from 'commander';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { takesFile } from '../file-placeholders.ts';
import { createProgram } from '../program.ts';

/** Commands that start programs or work on the gateway's computer itself, with their words. */
const OF_THE_COMPUTER = [
  'serve',
  'start',
  'logs',
  'restart',
  'service create',
  'service show',
  'service stop',
  'service remove',
  'assistant',
  'backup create',
  'backup create-key',
  'backup check',
  'restore',
  'upgrade',
  'move',
  'recover-owner',
  'diagnose',
  'printer create',
  'printer remove',
  'completion',
  'complete',
];
/** Options that name another gateway, key or folder, or read a store without its gateway. */
const REFUSED_OPTIONS = ['--url', '--key', '--data', '--offline'];

const AFTER = `
The terminal itself has help, clear and exit. Examples:
  jobs list --state reconciliation_required
  inbound list --status waiting
  watch --state submitting,in_progress`;

/** Creates the commands of the terminal: those that ask the gateway, for the person whose terminal it is. */
export function createTerminalProgram(): Command {
  const program = createProgram(AFTER);
  limitHelp(program);
  program.hook('preAction', (_program, command) => assertAllowed(command));
  return program;
}

/** Returns a sentence that says why the terminal does not run a command; null when it does. */
export function refusalOf(command: Command): string | null {
  const words = wordsOf(command);
  if (OF_THE_COMPUTER.includes(words))
    return `${words} works on the gateway’s computer, so it is not available in this terminal.`;
  const needsFile =
    command.registeredArguments.some((argument) => argument.required && takesFile(argument)) ||
    command.options.some((option) => option.mandatory && takesFile(option));
  return needsFile ? `${words} reads or writes files, so it is not available in this terminal.` : null;
}

/** Throws CommandFailure for a command, an option or a file that the terminal does not take. */
function assertAllowed(command: Command): void {
  const refusal = refusalOf(command);
  if (refusal !== null) throw new CommandFailure(refusal, EXIT.notAllowed);
  const given = command.optsWithGlobals<Record<string, unknown>>();
  const options = [...command.options, ...rootOf(command).options];
  const refused = options.find((option) => isRefused(option) && given[option.attributeName()] !== undefined);
  if (refused)
    throw new CommandFailure(`${refused.long} is not available in this terminal.`, EXIT.notAllowed);
  const file = command.registeredArguments.findIndex((argument) => takesFile(argument));
  if (file !== -1 && command.args[file] !== undefined)
    throw new CommandFailure('Files are not available in this terminal.', EXIT.notAllowed);
}

const isRefused = (option: Command['options'][number]) =>
  takesFile(option) || REFUSED_OPTIONS.includes(option.long ?? '');

/** Help, and with it completion, offers what runs here. */
function limitHelp(command: Command): void {
  command.configureHelp({
    ...command.configureHelp(),
    visibleCommands: ({ commands }) => commands.filter((child) => !isHidden(child)),
    visibleGlobalOptions: (child) => rootOf(child).options.filter((option) => !isRefused(option)),
    visibleOptions: ({ options }) => options.filter((option) => !option.hidden && !isRefused(option)),
  });
  for (const child of command.commands) limitHelp(child);
}

/** Returns true for a command, or a group of commands, that the terminal does not offer. */
function isHidden(command: Command): boolean {
  return command.commands.length > 0 ? command.commands.every(isHidden) : refusalOf(command) !== null;
}

function wordsOf(command: Command): string {
  return command.parent === null ? '' : `${wordsOf(command.parent)} ${command.name()}`.trim();
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
