import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Backup, BackupList, ConsoleStatus } from '../../shared/api/console.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
let key: string;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve({ ...sendingSettings(cli.emulator), FAX_DISABLED: 'true' });
  key = (await readFile(join(cli.folder, 'installation.key'), 'utf8')).trim();
});
afterAll(() => cli.close());

const request = (path: string, options: RequestInit = {}) =>
  fetch(cli.url + path, { ...options, headers: { 'X-API-Key': key } });
const read = async <T>(path: string) => (await (await request(path)).json()) as T;
const status = () => read<z.infer<typeof ConsoleStatus>>('/console/status');

async function send(text: string): Promise<void> {
  const body = new FormData();
  body.append('to', '+12025550123');
  body.append('file', new File([text], 'letter.txt', { type: 'text/plain' }));
  expect((await request('/fax', { method: 'POST', body })).status).toBe(202);
}

async function makeBackup(): Promise<string> {
  const { name } = (await (await request('/console/backups', { method: 'POST' })).json()) as z.infer<
    typeof Backup
  >;
  await expect
    .poll(async () => (await read<z.infer<typeof BackupList>>('/console/backups')).items[0])
    .toMatchObject({ name, state: 'done' });
  return name;
}

/** Asks for it, and waits until another gateway answers at the address of the one before. */
async function restore(name: string): Promise<void> {
  const { started_at } = await status();
  expect((await request(`/console/backups/${name}/restore`, { method: 'POST' })).status).toBe(202);
  const startedAgain = () =>
    status().then(
      (now) => now.started_at !== started_at,
      () => false,
    );
  await expect.poll(startedAgain, { timeout: 40_000 }).toBe(true);
}

const count = async () => (await read<{ items: object[] }>('/fax')).items.length;

test('a backup is restored from the console: the gateway stops, exchanges everything and answers at its address again', async () => {
  await send('before the backup');
  const name = await makeBackup();
  await send('after the backup');
  expect(await count()).toBe(2);
  await restore(name);
  expect(await count()).toBe(1);
  expect((await readdir(cli.folder)).filter((entry) => entry.startsWith('before_restore_'))).toHaveLength(1);
  const { items } = await read<{ items: { operation: string; actor: { name: string } }[] }>('/access/audit');
  expect(items.find(({ operation }) => operation === 'installation.restore')?.actor.name).toBe(
    'Installation key',
  );
  await send('after the restore');
  expect(await count()).toBe(2);
});

test('a backup that is damaged changes nothing, and the gateway that starts again says so', async () => {
  const before = await count();
  const name = await makeBackup();
  const file = join(cli.folder, 'backups', name);
  await writeFile(file, (await readFile(file)).subarray(0, 2_000));
  await restore(name);
  expect(await count()).toBe(before);
  const { warnings } = await status();
  expect(warnings.filter((warning) => warning.startsWith('The backup could not be restored. '))).toEqual([
    expect.stringMatching(
      /^The backup could not be restored\. This file is not a backup, or it is damaged \(.+\); nothing was changed\.$/u,
    ),
  ]);
  await rm(file);
});

test('after a stop signal, the gateway that was restored ends as any other', async () => {
  expect(await cli.stop()).toBe(0);
});
