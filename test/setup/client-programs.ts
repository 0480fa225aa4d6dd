import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import type { Skippable } from './tools.ts';

const FOLDER = join(ROOT, 'test/client-programs/node_modules');

/** Reason of tests that are skipped without the programs. */
export const NOT_INSTALLED = 'not installed: the programs of test/client-programs';

/** Returns true after a whole installation, which `scripts/install-missing.mjs` marks. */
export function hasClientPrograms(): boolean {
  return existsSync(join(FOLDER, '.faxdesk-lock'));
}

/** Runtimes beside Node.js, by the folder of their program for this machine. */
const RUNTIMES = {
  bun: `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}/bin/bun`,
  deno: `@deno/${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}/deno`,
} as const;

/** Returns the program of a runtime; skips the running test, with the reason, where it is not installed or made for this machine. */
export function needRuntime(context: Skippable, name: keyof typeof RUNTIMES): string {
  const program = clientProgram(RUNTIMES[name]);
  return existsSync(program) ? program : context.skip(`not installed: ${name}, of test/client-programs`);
}

/** Returns the path of a script of another maker's program, given below its node_modules. */
export function clientProgram(script: string): string {
  return join(FOLDER, script);
}
