import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A program of node_modules that ends with 0 when all is well. */
interface Step {
  name: string;
  /** Its script below node_modules. */
  script: string;
  args: string[];
}

/** The checks that need no running code, the longest first. */
const STATIC_CHECKS: Step[] = [
  { name: 'lint', script: 'oxlint/bin/oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', script: 'typescript/bin/tsc', args: ['--project', '.'] },
  { name: 'types of the console', script: 'typescript/bin/tsc', args: ['--project', 'renderer'] },
  {
    name: 'types of the pages of the window',
    script: 'typescript/bin/tsc',
    args: ['--project', 'main/page'],
  },
  { name: 'format', script: '@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings', '.'] },
];

/** Runs the static checks, so many at a time; prints the output of each when it has ended. */
export async function runChecks({ atOnce }: { readonly atOnce: number }): Promise<{
  readonly passed: number;
  readonly failed: readonly string[];
}> {
  const waiting = [...STATIC_CHECKS];
  const failed: string[] = [];
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift())
      if (!(await runCheck(check))) failed.push(check.name);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { passed: STATIC_CHECKS.length - failed.length, failed };
}

async function runCheck({ name, script, args }: Step): Promise<boolean> {
  const child = spawn(process.execPath, [join(ROOT, 'node_modules', script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => said.push(part));
  const [code] = (await once(child, 'close')) as [number | null];
  console.log(`\n== ${name}`);
  process.stdout.write(Buffer.concat(said));
  return code === 0;
}

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
