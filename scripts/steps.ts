import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A program of node_modules that ends with 0 when all is well. */
export interface Step {
  name: string;
  /** Its script below node_modules. */
  script: string;
  args: string[];
}

/** The checks that need no running code, the fastest first. */
export const STATIC_CHECKS: Step[] = [
  { name: 'format', script: '@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'lint', script: 'oxlint/bin/oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', script: 'typescript/bin/tsc', args: ['--project', '.'] },
  { name: 'types of the console', script: 'typescript/bin/tsc', args: ['--project', 'renderer'] },
  {
    name: 'types of the pages of the window',
    script: 'typescript/bin/tsc',
    args: ['--project', 'main/page'],
  },
];

/** Runs a step with its output passed through; true when it succeeded. */
export async function runStep(step: Step, env: Record<string, string> = {}): Promise<boolean> {
  console.log(`\n== ${step.name}`);
  return await runProgram(process.execPath, [join(ROOT, 'node_modules', step.script), ...step.args], env);
}

/** Runs a program in the repository's folder with its output passed through; true when it ended with 0. */
export async function runProgram(
  program: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<boolean> {
  const path = [join(ROOT, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env, PATH: path },
    stdio: 'inherit',
    shell: process.platform === 'win32' && program === 'npm',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
