import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface ProcessResult {
  readonly code: number | null;
  /** Both streams. */
  readonly output: string;
}

/** Runs a program in a folder. Its output is passed on while it comes, unless `quiet`. */
export async function run(
  program: string,
  args: string[],
  options: { folder: string; quiet: boolean; env?: Record<string, string> },
): Promise<ProcessResult> {
  const child = spawn(program, args, {
    cwd: options.folder,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output += text;
      if (!options.quiet) process.stdout.write(text);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** The npm that runs us, else the one on PATH. */
export async function runNpm(
  args: string[],
  options: { folder: string; quiet: boolean },
): Promise<ProcessResult> {
  const npm = process.env['npm_execpath'];
  if (npm?.endsWith('.js')) return await run(process.execPath, [npm, ...args], options);
  if (process.platform === 'win32') return await run('cmd.exe', ['/d', '/c', 'npm', ...args], options);
  return await run('npm', args, options);
}
