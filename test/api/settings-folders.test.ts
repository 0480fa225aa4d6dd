import { mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../setup/eventually.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';

let gateway: TestGateway;
let elsewhere: string;
beforeEach(async () => {
  elsewhere = await realpath(await mkdtemp(join(tmpdir(), 'faxdesk-elsewhere-')));
  gateway = await startTestGateway();
});
afterEach(async () => {
  await gateway.close();
  await rm(elsewhere, { recursive: true, force: true });
});

const OWN: Readonly<Record<string, string>> = {
  AUDIT_LOG_FILE: 'audit',
  BACKUP_FOLDER: 'backups',
  IMPORT_FOLDER: 'import',
  SEND_FOLDER: 'send',
};
const sentenceOf = (name: string) =>
  `${name} is not inside a folder that Faxdesk is allowed to use. Choose the folder in the desktop application, add it to FAXDESK_FOLDERS when you start Faxdesk, or enter a relative path inside “${OWN[name]}” of the data folder.`;

async function save(name: string, value: string): Promise<[number, unknown]> {
  const answer = await gateway.request('PUT', '/admin/settings', { json: { changes: { [name]: value } } });
  const body = (await answer.json()) as { detail?: unknown };
  return [answer.status, body.detail ?? null];
}

async function shown(name: string): Promise<{ value: unknown; warning: string | null } | undefined> {
  const answer = await gateway.request('GET', '/admin/settings');
  const { settings } = (await answer.json()) as {
    settings: { name: string; value: unknown; warning: string | null }[];
  };
  return settings.find((setting) => setting.name === name);
}

async function warnings(): Promise<string[]> {
  return ((await (await fetch(`${gateway.url}/health/ready`)).json()) as { warnings: string[] }).warnings;
}

/** As the desktop's dialog does. */
const choose = (...folders: string[]) =>
  writeFile(join(gateway.dataFolder, 'allowed-folders.json'), JSON.stringify(folders));

test.each([
  ['AUDIT_LOG_FILE', '/etc/cron.d/faxdesk'],
  ['AUDIT_LOG_FILE', '../audit.log'],
  ['AUDIT_LOG_FILE', 'audit'],
  ['BACKUP_FOLDER', '/tmp'],
  ['BACKUP_FOLDER', '../../backups'],
  ['BACKUP_FOLDER', '/'],
  ['IMPORT_FOLDER', '/tmp'],
  ['IMPORT_FOLDER', '../inbound'],
  ['SEND_FOLDER', '/tmp'],
  ['SEND_FOLDER', '../files'],
])('%s cannot be %s', async (name, value) => {
  expect(await save(name, value)).toEqual([422, sentenceOf(name)]);
  expect((await shown(name))?.value).toBe(null);
});

test.each(['installation.key', 'faxdesk.sqlite', 'files/x', 'logs/gateway.log', 'allowed-folders.json'])(
  'a setting never names %s of the data folder, even where that lies below an allowed one',
  async (name) => {
    await choose(gateway.dataFolder, join(gateway.dataFolder, '..'));
    expect((await save('AUDIT_LOG_FILE', join(gateway.dataFolder, name)))[0]).toBe(422);
    expect((await save('BACKUP_FOLDER', join(gateway.dataFolder, name)))[0]).toBe(422);
  },
);

test('a relative path lies in a folder of its own within the data folder', async () => {
  await gateway.set({ AUDIT_LOG_ENABLED: true, AUDIT_LOG_FILE: 'faxes.log' });
  await gateway.send();
  const file = join(gateway.dataFolder, 'audit', 'faxes.log');
  await eventually(async () => expect(await readFile(file, 'utf8')).toContain('job_created'));
  for (const same of ['audit/faxes.log', file]) expect((await save('AUDIT_LOG_FILE', same))[0]).toBe(200);
  expect(await warnings()).toEqual([]);
});

test('a folder that was chosen in the desktop application can be used from then on', async () => {
  expect((await save('BACKUP_FOLDER', elsewhere))[0]).toBe(422);
  await choose(elsewhere);
  expect((await save('BACKUP_FOLDER', elsewhere))[0]).toBe(200);
  expect((await save('BACKUP_FOLDER', join(elsewhere, 'daily', 'new')))[0]).toBe(200);
  expect((await save('BACKUP_FOLDER', `${elsewhere}-other`))[0]).toBe(422);
  expect((await save('AUDIT_LOG_FILE', elsewhere))[0]).toBe(422);
  expect((await save('AUDIT_LOG_FILE', join(elsewhere, 'audit.log')))[0]).toBe(200);
});

test('a folder of the start options can be used, but not by a link that leads out of it', async () => {
  gateway = await gateway.restart({ boot: { folders: [elsewhere] } });
  await mkdir(join(elsewhere, 'kept'));
  expect((await save('BACKUP_FOLDER', join(elsewhere, 'kept')))[0]).toBe(200);
  await symlink('/etc', join(elsewhere, 'way-out'));
  await symlink(join(gateway.dataFolder, 'files'), join(elsewhere, 'documents'));
  for (const link of ['way-out', 'way-out/deeper', 'documents'])
    expect((await save('BACKUP_FOLDER', join(elsewhere, link)))[0]).toBe(422);
  await symlink(join(elsewhere, 'kept'), join(elsewhere, 'way-in'));
  expect((await save('BACKUP_FOLDER', join(elsewhere, 'way-in')))[0]).toBe(200);
});

test('what is allowed no more is a warning, and nothing is written there', async () => {
  await choose(elsewhere);
  const file = join(elsewhere, 'audit.log');
  await gateway.set({ AUDIT_LOG_ENABLED: true, AUDIT_LOG_FILE: file });
  await gateway.send();
  await eventually(async () => expect(await readFile(file, 'utf8')).toContain('job_created'));
  await choose();
  gateway = await gateway.restart();
  const { size } = await stat(file);
  await gateway.send();
  await gateway.stop();
  expect((await stat(file)).size).toBe(size);
  gateway = await gateway.restart();
  expect(await warnings()).toEqual([sentenceOf('AUDIT_LOG_FILE')]);
  expect(await shown('AUDIT_LOG_FILE')).toMatchObject({ value: file, warning: sentenceOf('AUDIT_LOG_FILE') });
});

test('a link that is laid on the way later is found when the file is opened again', async () => {
  await choose(elsewhere);
  const outside = await mkdtemp(join(tmpdir(), 'faxdesk-outside-'));
  try {
    const folder = join(elsewhere, 'logs');
    await mkdir(folder);
    await gateway.set({ AUDIT_LOG_ENABLED: true, AUDIT_LOG_FILE: join(folder, 'audit.log') });
    await gateway.send();
    await eventually(async () =>
      expect(await readFile(join(folder, 'audit.log'), 'utf8')).toContain('job_created'),
    );
    await rm(folder, { recursive: true });
    await symlink(outside, folder);
    await gateway.send();
    await eventually(async () =>
      expect(await warnings()).toContain(
        'The audit file cannot be written: its folder is not one that Faxdesk was allowed to use. Faxdesk keeps the lines until it can write them.',
      ),
    );
    await expect(stat(join(outside, 'audit.log'))).rejects.toThrow('ENOENT');
  } finally {
    await rm(outside, { recursive: true, force: true });
  }
});
