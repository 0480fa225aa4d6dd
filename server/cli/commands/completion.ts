import { Argument, type Command } from 'commander';
import { type Client, createClient } from '../../../shared/client/index.ts';
import { action } from '../command.ts';
import { complete } from '../completion/complete.ts';
import { SHELL_SCRIPTS, SHELLS } from '../completion/shell-scripts.ts';
import { splitLine } from '../completion/split-line.ts';
import { createStoredValues } from '../completion/stored.ts';
import { type GlobalOptions, resolveConnection } from '../connection.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { oneLine, terminal } from '../terminal.ts';

/** Nobody waits longer for the ids of a completion, in ms. */
const ANSWER_MS = 2_000;
/** A shell shows file names in place of the list. */
const FILES = ':files';

export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description('Print the script that completes commands, options, values and ids with Tab in a shell.')
    .addArgument(new Argument('<shell>', `one of ${SHELLS.join(', ')}`))
    .addHelpText(
      'after',
      `
Load it in each new shell, for example in ~/.bashrc, ~/.zshrc or the profile of PowerShell:
  source <(faxdesk completion bash)
  source <(faxdesk completion zsh)
  faxdesk completion powershell | Out-String | Invoke-Expression`,
    )
    .action(
      action(async (_context, typed = '') => {
        const shell = SHELLS.find((name) => name === typed);
        if (!shell) throw new CommandFailure(`The shell must be one of ${SHELLS.join(', ')}.`, EXIT.usage);
        terminal.print(SHELL_SCRIPTS[shell]);
      }),
    );
  program
    .command('complete', { hidden: true })
    .description('Print the completions of a line, for the scripts of shells.')
    .argument('<line>', 'the line up to the cursor')
    .option('--base64', 'the line is encoded')
    .action(
      action<{ base64?: true }>(async ({ options }, line = '') => {
        const text = options.base64 ? Buffer.from(line, 'base64').toString('utf8') : line;
        await printCompletions(program, text);
      }),
    );
}

async function printCompletions(program: Command, line: string): Promise<void> {
  // The first word is the name of the program.
  const words = splitLine(line).words.slice(1);
  const stored = createStoredValues(() => connectQuickly(globalOptionsIn(words)));
  const { items, files } = await complete(program, words, stored);
  if (files) terminal.print(FILES);
  for (const { value, help } of items)
    terminal.print(help === '' ? oneLine(value) : `${oneLine(value)}\t${oneLine(help)}`);
}

/** Returns the options of every command that stand in a line, whatever else does. */
function globalOptionsIn(words: readonly string[]): GlobalOptions {
  const valueOf = (flag: string) => {
    const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
    const word = words[at];
    return word === flag ? words[at + 1] : word?.slice(flag.length + 1);
  };
  const named = (['url', 'key', 'data'] as const).flatMap((name) => {
    const value = valueOf(`--${name}`);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(named) as GlobalOptions;
}

async function connectQuickly(options: GlobalOptions): Promise<Client> {
  const { url, apiKey } = await resolveConnection(options);
  const fetchSoon: typeof fetch = (address, init) =>
    fetch(address, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
  return createClient({ baseUrl: url, fetch: fetchSoon, ...(apiKey === null ? {} : { apiKey }) });
}
