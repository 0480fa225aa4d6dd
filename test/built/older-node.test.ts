import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../scripts/steps.ts';
import { RELEASE } from '../../server/config/release.ts';
import type { Skippable } from '../setup/tools.ts';

const run = promisify(execFile);
const BEGIN = join(ROOT, 'server/faxdesk.mjs');
const LEAST = 24;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-older-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The Node of the system, where that is older than what Faxdesk runs on. */
async function needOlderNode(context: Skippable): Promise<{ node: string; version: string }> {
  for (const node of ['/usr/local/bin/node', '/usr/bin/node'].filter((path) => existsSync(path))) {
    const version = (await run(node, ['--version'])).stdout.trim().slice(1);
    if (Number.parseInt(version, 10) < LEAST) return { node, version };
  }
  return context.skip('not installed: an older Node.js');
}

test('a command that an older Node begins runs on the one that comes with the packages', async (context) => {
  const { node } = await needOlderNode(context);
  const { stdout } = await run(node, [BEGIN, '--version']);
  expect(stdout.trim()).toBe(RELEASE);
  await expect(run(node, [BEGIN, 'no-such-command'])).rejects.toMatchObject({ code: 2 });
});

test('a gateway that an older Node begins is stopped by a signal to it', async (context) => {
  const { node } = await needOlderNode(context);
  const served = spawn(node, [BEGIN, 'serve', '--port', '0', '--data', folder]);
  let printed = '';
  for await (const bytes of served.stdout) {
    printed += String(bytes);
    if (/ready at http/u.test(printed)) break;
  }
  const ended = once(served, 'exit');
  served.kill('SIGTERM');
  expect(await ended, printed).toEqual([0, null]);
});

test('without that one an older Node prints in one sentence which is needed', async (context) => {
  const { node, version } = await needOlderNode(context);
  await mkdir(join(folder, 'server'));
  await copyFile(BEGIN, join(folder, 'server/faxdesk.mjs'));
  await expect(run(node, [join(folder, 'server/faxdesk.mjs'), 'serve'])).rejects.toMatchObject({
    code: 1,
    stderr: `Faxdesk needs Node.js ${LEAST} or newer; this is ${version}.\n`,
  });
});
