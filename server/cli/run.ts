import type { Command } from 'commander';
import { outcomeOf } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { terminal } from './terminal.ts';

/** Runs the command line and answers its exit code. Nothing is thrown. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const program = createProgram();
  throwInsteadOfExit(program);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return 0;
  } catch (error) {
    const { exitCode, message } = outcomeOf(error);
    const told = program.opts<{ json?: boolean }>().json
      ? JSON.stringify({ detail: message, exit_code: exitCode })
      : message;
    if (message !== null && told !== null) terminal.note(told);
    return exitCode;
  }
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExit(child);
}
