import type { Command } from 'commander';
import { exitCodeFor, outcomeOf } from './exit-codes.ts';
import { renewWords } from './older-words.ts';
import { createServeProgram, SERVING } from './serve-program.ts';
import { terminal } from './terminal.ts';

/** Runs the command line and answers its exit code. Nothing is thrown. */
export async function runCommandLine(words: readonly string[], given?: Command): Promise<number> {
  const program = given ?? (await programFor(words));
  const asJson = hasJsonOption(words);
  prepare(program, asJson);
  try {
    await program.parseAsync(renewWords(program, words), { from: 'user' });
    return 0;
  } catch (error) {
    const { exitCode, message, usage } = outcomeOf(error);
    const text = asJson ? jsonOf(message ?? usage, exitCode) : message;
    if (text !== null) terminal.note(text);
    return exitCodeFor(words, exitCode);
  }
}

/** Creates every command, or only those that run a gateway where the words begin with one. */
async function programFor([first]: readonly string[]): Promise<Command> {
  if (SERVING.includes(first)) return createServeProgram();
  const { createProgram } = await import('./program.ts');
  return createProgram();
}

/** Looked for in the words themselves: what is wrong with them may be noticed before the option is. */
function hasJsonOption(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).includes('--json');
}

function jsonOf(detail: string | null, exit_code: number): string | null {
  return detail === null ? null : JSON.stringify({ detail, exit_code });
}

/** Has every command throw instead of ending the process; a program that reads JSON gets no help among it. */
function prepare(command: Command, asJson: boolean): void {
  command.exitOverride();
  if (asJson) command.configureOutput({ writeErr: () => undefined });
  for (const child of command.commands) prepare(child, asJson);
}
