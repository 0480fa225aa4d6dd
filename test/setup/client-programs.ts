import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

const FOLDER = join(ROOT, 'test/client-programs/node_modules');

/** Reason of tests that are skipped without the programs. */
export const NOT_INSTALLED = 'not installed: the programs of test/client-programs';

/** Returns true after a whole installation, which `scripts/install-missing.mjs` marks. */
export function hasClientPrograms(): boolean {
  return existsSync(join(FOLDER, '.faxdesk-lock'));
}

/** Returns the path of a script of another maker's program, given below its node_modules. */
export function clientProgram(script: string): string {
  return join(FOLDER, script);
}
