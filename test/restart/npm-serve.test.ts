import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../scripts/steps.ts';

let folder: string;
let npm: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-npm-'));
});
afterEach(async () => {
  if (npm?.pid !== undefined) killGroup(npm.pid);
  await rm(folder, { recursive: true, force: true });
});

/** The whole group, so that a failing test leaves nothing behind. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Everything has ended, as it should.
  }
}

const isLive = (url: string) =>
  fetch(`${url}/health`).then(
    () => true,
    () => false,
  );

test.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT'] as const)(
  '%s to npm stops the gateway that it serves',
  async (signal) => {
    npm = spawn('npm', ['run', 'serve', '--', '--port', '0', '--data', folder], {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    const url = await new Promise<string>((resolve, reject) => {
      npm?.stdout?.on('data', (text: Buffer) => {
        printed += text.toString();
        const found = /ready at (http:\/\/[\d.:]+)/u.exec(printed)?.[1];
        if (found !== undefined) resolve(found);
      });
      npm?.once('exit', () => reject(new Error(`npm has ended: ${printed}`)));
    });
    expect(await isLive(url)).toBe(true);
    const ended = once(npm, 'exit');
    npm.kill(signal);
    await ended;
    expect(await isLive(url)).toBe(false);
  },
);
