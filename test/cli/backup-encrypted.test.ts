import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Backup, BackupList, ConsoleStatus } from '../../shared/api/console.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

type Infer<T extends { _output: unknown }> = T['_output'];

let cli: CommandLine;
let recipient: string;
const file = (name: string) => join(cli.folder, name);
const identity = () => file('identity.txt');
beforeAll(async () => {
  cli = await openCommandLine();
  const made = await cli.run(['backup', 'create-key', '--output', identity(), '--json']);
  expect(made.code).toBe(0);
  ({ recipient } = JSON.parse(made.out) as { recipient: string });
  expect(made.err).toContain('without it no backup that is encrypted for it can be opened, also by you');
  await cli.serve({ ...sendingSettings(cli.emulator), FAX_DISABLED: 'true', BACKUP_RECIPIENTS: recipient });
});
afterAll(() => cli.close());

async function request(path: string, options: RequestInit = {}): Promise<Response> {
  const key = (await readFile(file('installation.key'), 'utf8')).trim();
  return fetch(cli.url + path, {
    ...options,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
  });
}
const read = async <T>(path: string) => (await (await request(path)).json()) as T;

test('an identity is for its owner alone and is never replaced', async () => {
  expect((await stat(identity())).mode & 0o777).toBe(0o600);
  const before = await readFile(identity(), 'utf8');
  expect(before).toMatch(
    new RegExp(`^# created: .+\\n# public key: ${recipient}\\nAGE-SECRET-KEY-1.+\\n$`, 'u'),
  );
  const again = await cli.run(['backup', 'create-key', '--output', identity()]);
  expect([again.code, again.err]).toEqual([6, `${identity()} already exists and was not replaced.\n`]);
  expect(await readFile(identity(), 'utf8')).toBe(before);
});

test('a backup of the command line is encrypted for the recipients of the settings, also under the name of a script', async () => {
  const { code, out, err } = await cli.run(['backup', '--output', file('monday.zip'), '--json']);
  expect([code, err]).toEqual([0, expect.stringContaining('It opens only with the identity')]);
  expect(JSON.parse(out)).toMatchObject({ file: file('monday.zip.age'), recipients: 1, key: 'whole' });
  expect(await readdir(cli.folder)).not.toContain('monday.zip');
  expect((await readFile(file('monday.zip.age'))).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
  const again = await cli.run(['backup', '--output', file('monday.zip')]);
  expect([again.code, again.err]).toEqual([
    6,
    `${file('monday.zip.age')} already exists. Use --overwrite to replace it.\n`,
  ]);
});

test('a backup is checked without restoring it', async () => {
  const checked = await cli.run([
    'backup',
    'check',
    file('monday.zip.age'),
    '--identity',
    identity(),
    '--json',
  ]);
  expect([checked.code, JSON.parse(checked.out)]).toEqual([
    0,
    expect.objectContaining({ files: 0, data_key: true, missing: 0 }),
  ]);
  const without = await cli.run(['backup', 'check', file('monday.zip.age')]);
  expect([without.code, without.err]).toEqual([
    1,
    'This backup is encrypted and opens only with its identity; nothing was changed.\n',
  ]);
});

test('it is restored with its identity alone', async () => {
  const target = file('elsewhere');
  const restore = (...more: string[]) =>
    cli.run(['restore', file('monday.zip.age'), '--data', target, ...more]);
  const sentences = [
    [[], 1, 'This backup is encrypted and opens only with its identity; nothing was changed.\n'],
    [['--identity', file('gone.txt')], 5, `The identity file ${file('gone.txt')} cannot be read (ENOENT).\n`],
    [
      ['--identity', file('installation.key')],
      2,
      `${file('installation.key')} is not an identity file. It has a line that begins with AGE-SECRET-KEY-1.\n`,
    ],
  ] as const;
  for (const [more, code, err] of sentences) {
    const answer = await restore(...more);
    expect([answer.code, answer.err]).toEqual([code, err]);
  }
  const other = file('other.txt');
  await cli.run(['backup', 'create-key', '--output', other]);
  expect((await restore('--identity', other)).err).toBe(
    'This identity does not open the backup, which was encrypted for another recipient; nothing was changed.\n',
  );
  expect(await readdir(cli.folder)).not.toContain('elsewhere');
  expect((await restore('--identity', identity())).code).toBe(0);
  expect(await readdir(target)).toEqual(expect.arrayContaining(['data.key', 'faxdesk.sqlite']));
});

test('the console restores one: the gateway stops, opens it with the identity, and starts again', async () => {
  const begun = await request('/console/backups', { method: 'POST' });
  const { name } = (await begun.json()) as Infer<typeof Backup>;
  await expect
    .poll(async () => (await read<Infer<typeof BackupList>>('/console/backups')).items[0])
    .toMatchObject({ name, state: 'done', encrypted: true });
  const { started_at } = await read<Infer<typeof ConsoleStatus>>('/console/status');
  const body = JSON.stringify({ identity: await readFile(identity(), 'utf8') });
  const answer = await request(`/console/backups/${name}/restore`, { method: 'POST', body });
  expect([answer.status, await answer.json()]).toEqual([202, { ok: true }]);
  const startedAgain = () =>
    read<Infer<typeof ConsoleStatus>>('/console/status').then(
      (now) => now.started_at !== started_at,
      () => false,
    );
  await expect.poll(startedAgain, { timeout: 40_000 }).toBe(true);
  const { warnings } = await read<Infer<typeof ConsoleStatus>>('/console/status');
  expect(warnings.filter((warning) => warning.includes('could not be restored'))).toEqual([]);
  expect((await readdir(cli.folder)).filter((entry) => entry.startsWith('before_restore_'))).toHaveLength(1);
});

test('rule (installation): no identity is in the data folder after a restore', async () => {
  await cli.stop();
  const secret = /AGE-SECRET-KEY-1[A-Z0-9]+/u.exec(await readFile(identity(), 'utf8'))?.[0] ?? 'none';
  const entries = await readdir(cli.folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path === identity()) continue;
    expect((await readFile(path)).includes(secret), path).toBe(false);
  }
});
