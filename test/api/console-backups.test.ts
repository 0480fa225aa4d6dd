import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { openArchive } from '../../server/backup/archive.ts';
import { RELEASE } from '../../server/config/release.ts';
import { openDatabase } from '../../server/db/database.ts';
import { migrations } from '../../server/db/migrations/index.ts';
import { listSecurityEvents } from '../../server/features/audit/service.ts';
import type { Backup, BackupList } from '../../shared/api/console.ts';
import { ErrorAnswer } from '../../shared/api/errors.ts';
import { ALL_PERMISSIONS, BUILT_IN_ROLES } from '../../shared/permissions.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY, MINUTE } from '../setup/manual-clock.ts';
import { keyWith } from './console-stream.ts';

type Item = z.infer<typeof Backup>;

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ hasBackup: false });
});
afterEach(() => gateway.close());

const folder = () => join(gateway.dataFolder, 'backups');
const list = async () =>
  (await (await gateway.request('GET', '/console/backups')).json()) as z.infer<typeof BackupList>;
const item = async (name: string) =>
  (await (await gateway.request('GET', `/console/backups/${name}`)).json()) as Item;
const detailOf = async (answer: Response) => ErrorAnswer.parse(await answer.json()).detail;

/** As the desktop's dialog does. */
const allow = (...folders: string[]) =>
  writeFile(join(gateway.dataFolder, 'allowed-folders.json'), JSON.stringify(folders));

/** Makes a backup and waits until it is done. */
async function make(): Promise<Item> {
  const begun = await gateway.request('POST', '/console/backups');
  expect(begun.status).toBe(202);
  const { name } = (await begun.json()) as Item;
  await expect.poll(async () => (await item(name)).state).toBe('done');
  return item(name);
}

async function contentOf(file: string): Promise<string[]> {
  const known = migrations.map((step) => step.name);
  const archive = await openArchive(file, { release: RELEASE, migrations: known });
  try {
    const names: string[] = [];
    for await (const { name } of archive.members()) names.push(name);
    return names;
  } finally {
    await archive.close();
  }
}

async function recorded(): Promise<{ operation: string; id: string | null; actor: string }[]> {
  const sqliteFile = join(gateway.dataFolder, 'faxdesk.sqlite');
  const db = openDatabase({ postgresUrl: null, sqliteFile });
  try {
    const { items } = await listSecurityEvents(db.read, { limit: 100 });
    return items
      .filter(({ target }) => target.kind === 'backup')
      .map(({ operation, target, actor }) => ({ operation, id: target.id, actor: actor.name }));
  } finally {
    await db.close();
  }
}

describe('a backup', () => {
  test('is made while the gateway works, and is a whole one', async () => {
    await gateway.send();
    const begun = await gateway.request('POST', '/console/backups');
    expect([begun.status, await begun.json()]).toEqual([
      202,
      {
        name: 'faxdesk-2026-11-21-090000.zip',
        daily: false,
        encrypted: false,
        state: 'running',
        created_at: '2026-11-21T09:00:00.000Z',
        finished_at: null,
        size_bytes: null,
        sha256: null,
        sentence: null,
      },
    ]);
    await expect.poll(async () => (await list()).items[0]?.state).toBe('done');
    const [done] = (await list()).items;
    const file = join(folder(), 'faxdesk-2026-11-21-090000.zip');
    const bytes = await readFile(file);
    expect(done).toMatchObject({
      size_bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const content = await contentOf(file);
    expect(content).toContain('keys/data.key');
    expect(content.filter((name) => name.startsWith('files/'))).toHaveLength(1);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('can be fetched as a file, with what checks it beside it', async () => {
    const { name, sha256, size_bytes } = await make();
    const answer = await gateway.request('GET', `/console/backups/${name}/file`);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect(answer.headers.get('content-length')).toBe(String(size_bytes));
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    expect(await readFile(join(folder(), `${name}.sha256`), 'utf8')).toBe(`${sha256}  ${name}\n`);
  });

  test('does not hold the backups before it', async () => {
    const first = await make();
    const second = await make();
    expect(second.name).toBe('faxdesk-2026-11-21-090001.zip');
    expect((await contentOf(join(folder(), second.name))).filter((name) => name.includes('zip'))).toEqual([]);
    gateway.clock.advance(MINUTE);
    const third = await make();
    expect((await list()).items.map(({ name }) => name)).toEqual([third.name, second.name, first.name]);
  });

  test('is still there after a restart', async () => {
    const made = await make();
    gateway = await gateway.restart();
    expect((await list()).items).toEqual([made]);
  });

  test('can be removed', async () => {
    const { name } = await make();
    expect((await gateway.request('DELETE', `/console/backups/${name}`)).status).toBe(200);
    expect(await readdir(folder())).toEqual([]);
    expect((await list()).items).toEqual([]);
    expect((await gateway.request('DELETE', `/console/backups/${name}`)).status).toBe(404);
  });

  test('goes to the folder of the settings', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'faxdesk-backups-'));
    try {
      await allow(elsewhere);
      await gateway.set({ BACKUP_FOLDER: elsewhere });
      const { name } = await make();
      expect((await list()).folder).toBe(elsewhere);
      expect(await readdir(elsewhere)).toEqual([name, `${name}.sha256`]);
      await gateway.set({ BACKUP_FOLDER: 'kept/here' });
      await make();
      expect((await list()).folder).toBe(join(gateway.dataFolder, 'backups/kept/here'));
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });

  test('goes nowhere once its folder is allowed no more, and what lies there is left alone', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'faxdesk-backups-'));
    try {
      await allow(elsewhere);
      await gateway.set({ BACKUP_FOLDER: elsewhere });
      const { name } = await make();
      await allow();
      const answer = await gateway.request('POST', '/console/backups');
      expect([answer.status, await detailOf(answer)]).toEqual([
        409,
        expect.stringMatching(/^BACKUP_FOLDER is not inside a folder that Faxdesk is allowed to use\. /u),
      ]);
      expect((await list()).items).toEqual([]);
      expect((await gateway.request('DELETE', `/console/backups/${name}`)).status).toBe(404);
      expect(await readdir(elsewhere)).toEqual([name, `${name}.sha256`]);
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });

  test('says so when its folder cannot be created, and works once it can', async () => {
    await writeFile(folder(), 'in the way');
    const answer = await gateway.request('POST', '/console/backups');
    expect(answer.status).toBe(409);
    expect(await detailOf(answer)).toBe(`The backup folder ${folder()} cannot be created (ENOTDIR).`);
    expect((await list()).items).toEqual([]);
    await rm(folder());
    await make();
  });
});

test('a backup is made every day at the hour of the settings, and the newest are kept', async () => {
  await gateway.set({ BACKUP_DAILY_AT: '02:00', BACKUP_KEEP: 2 });
  for (let day = 0; day < 3; day += 1) {
    await gateway.processAll();
    gateway.clock.advance(DAY);
  }
  const { items, daily_at, keep } = await list();
  expect([daily_at, keep]).toEqual(['02:00', 2]);
  expect(items.map(({ name, daily, state }) => [name, daily, state])).toEqual([
    ['faxdesk-2026-11-23-090000-daily.zip', true, 'done'],
    ['faxdesk-2026-11-22-090000-daily.zip', true, 'done'],
  ]);
  await rm(folder(), { recursive: true });
  await writeFile(folder(), 'in the way');
  await gateway.processAll();
  const ready = (await (await gateway.request('GET', '/health/ready')).json()) as { warnings: string[] };
  expect(
    ready.warnings.filter((warning) => warning.startsWith('The daily backup could not be made')),
  ).toEqual([
    `The daily backup could not be made: The backup folder ${folder()} cannot be created (ENOTDIR). It is tried again every hour.`,
  ]);
});

describe('only backups', () => {
  const NAMES = [
    'installation.key',
    '..%2Finstallation.key',
    '..%2F..%2Fetc%2Fpasswd',
    '.new-0123456789ab-faxdesk-2026-11-21-090000.zip',
    'faxdesk-2026-11-21-090000.zip.sha256',
    'faxdesk-2026-13-41-090000.zip',
    'faxdesk-2026-11-21-090000.zip%00',
    'FAXDESK-2026-11-21-090000.ZIP',
  ];

  test.each(NAMES)('can be read, fetched or removed by name, and %s is none', async (name) => {
    await make();
    for (const [method, path] of [
      ['GET', `/console/backups/${name}`],
      ['GET', `/console/backups/${name}/file`],
      ['DELETE', `/console/backups/${name}`],
    ] as const)
      expect([method, path, (await gateway.request(method, path)).status]).toEqual([method, path, 404]);
    expect(await readdir(folder())).toHaveLength(2);
  });

  test('are listed, whatever else lies in the folder', async () => {
    await mkdir(join(folder(), 'faxdesk-2026-01-01-000000.zip'), { recursive: true });
    await writeFile(join(folder(), 'notes.txt'), '');
    expect((await list()).items).toEqual([]);
  });
});

describe('who may do what with a backup', () => {
  test('fetching takes more than making: the file makes an owner of whoever has it', async () => {
    const { name } = await make();
    const administrator = await keyWith(
      gateway,
      ...(BUILT_IN_ROLES.find(({ id }) => id === 'role_administrator')?.permissions ?? []),
    );
    const ask = async (method: string, path: string, key: string) =>
      (await gateway.request(method, path, { key })).status;
    expect(await ask('GET', `/console/backups/${name}/file`, administrator)).toBe(403);
    expect(await ask('POST', `/console/backups/${name}/restore`, administrator)).toBe(403);
    expect(await ask('GET', '/console/backups', administrator)).toBe(200);
    const owner = await keyWith(gateway, ...ALL_PERMISSIONS);
    expect(await ask('GET', `/console/backups/${name}/file`, owner)).toBe(200);
    expect(await ask('DELETE', `/console/backups/${name}`, administrator)).toBe(200);
  });

  test('where nobody could start the gateway again, none is restored', async () => {
    const { name } = await make();
    const answer = await gateway.request('POST', `/console/backups/${name}/restore`);
    expect([answer.status, await detailOf(answer)]).toEqual([
      409,
      'A backup cannot be restored from here. Stop Faxdesk and use faxdesk restore.',
    ]);
  });

  test('making, fetching and removing stand in the security audit', async () => {
    const { name } = await make();
    await gateway.request('GET', `/console/backups/${name}/file`);
    await gateway.request('DELETE', `/console/backups/${name}`);
    expect((await recorded()).reverse()).toEqual(
      ['backup.make', 'backup.download', 'backup.remove'].map((operation) => ({
        operation,
        id: name,
        actor: 'Installation key',
      })),
    );
  });
});
