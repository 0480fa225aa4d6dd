import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import type { StartedGateway } from './office.ts';

const run = promisify(execFile);
const READY = /ready at (http:\/\/[\d.:]+)/u;

/** Serves a data folder as a person does with npm; resolves once the gateway is ready. */
export async function serve(
  dataFolder: string,
  environment: Readonly<Record<string, string>>,
): Promise<StartedGateway> {
  const npm = spawn('npm', ['run', 'serve', '--', '--port', '0', '--data', dataFolder], {
    cwd: ROOT,
    // A group of its own, so that a failing test leaves nothing behind.
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (bytes: Buffer) => (printed += bytes.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    npm.stdout.on('data', () => {
      const [, found] = READY.exec(printed) ?? [];
      if (found !== undefined) resolve(found);
    });
    npm.once('exit', () => reject(new Error(`npm has ended: ${printed}`)));
  });
  return { url, dataFolder, printed: () => printed, stop: () => stopGroup(npm) };
}

async function stopGroup(npm: ChildProcess): Promise<void> {
  if (npm.exitCode !== null || npm.signalCode !== null || npm.pid === undefined) return;
  const ended = once(npm, 'exit');
  npm.kill('SIGTERM');
  await ended;
  try {
    process.kill(-npm.pid, 'SIGKILL');
  } catch {
    // Everything of the group has ended, as it should.
  }
}

/** Runs a command and returns its output; rejects with its error message when it fails. */
export async function command(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout } = await run(process.execPath, ['server/faxdesk.mjs', ...words], { cwd: ROOT, env });
  return stdout;
}
