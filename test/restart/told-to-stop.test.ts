import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../scripts/steps.ts';

let folder: string;
let child: ChildProcess;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-stop-'));
  child = spawn(
    process.execPath,
    [join(ROOT, 'server/faxdesk.mjs'), 'serve', '--port', '0', '--data', folder],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
});
afterEach(async () => {
  child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const isReady = () => once(child.stdout as NonNullable<typeof child.stdout>, 'data');

/** Returns the exit code, or the signal that ended the process. */
async function ended(): Promise<number | string> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return code ?? signal ?? '';
}

test.skipIf(process.platform === 'win32')(
  'a process that gets a stop signal as soon as it runs ends',
  async () => {
    const end = ended();
    child.kill('SIGTERM');
    expect([0, 'SIGTERM']).toContain(await end);
  },
);

test.skipIf(process.platform === 'win32')(
  'a process that gets a stop signal in the middle of its start stops cleanly when it has started',
  async () => {
    const end = ended();
    // It has begun to write: the data folder is no longer empty.
    await expect.poll(() => readdir(folder), { interval: 1 }).not.toEqual([]);
    child.kill('SIGTERM');
    expect(await end).toBe(0);
    expect(await readdir(folder)).not.toContain('gateway.json');
  },
);

test.skipIf(process.platform === 'win32')(
  'a process that cannot clean up ends all the same, and the next start goes well',
  async () => {
    await isReady();
    // Nothing that is there can be taken away any more.
    await rm(join(folder, 'gateway.json'));
    await mkdir(join(folder, 'gateway.json', 'in the way'), { recursive: true });
    const end = ended();
    child.kill('SIGTERM');
    expect(await end).toBe(0);
    await rm(join(folder, 'gateway.json'), { recursive: true });
    child = spawn(process.execPath, child.spawnargs.slice(1), { stdio: ['ignore', 'pipe', 'ignore'] });
    expect(String(await isReady())).toContain('ready');
  },
);
