import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InUseError, OccupiedError } from '../../server/backup/errors.ts';
import { openDatabase } from '../../server/db/database.ts';
import { lockFile } from '../../server/db/sqlite-file.ts';
import { createSigningService } from '../../server/features/signing/service.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';
import {
  addFax,
  backUp,
  emptyLocation,
  type Installation,
  makeInstallation,
  NOW,
  open,
  restore,
} from './backup-setup.ts';

const DATABASES = [
  { name: 'SQLite', server: null, skip: false },
  { name: `PostgreSQL${withoutPostgres}`, server: postgresUrl, skip: postgresUrl === null },
];

let folder: string;
const cleaning: { remove(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-zip-'));
});

afterEach(async () => {
  for (const location of cleaning.splice(0)) await location.remove();
  await rm(folder, { recursive: true, force: true });
});

async function newInstallation(server: string | null): Promise<Installation> {
  const installation = await makeInstallation(server);
  cleaning.push(installation);
  return installation;
}

async function newLocation(server: string | null) {
  const location = await emptyLocation(server);
  cleaning.push(location);
  return location;
}

/** The signing keys, with the data key that every installation here has. */
async function signingKeys({ db }: Installation) {
  const seal = createSeal(new Uint8Array(32).fill(7));
  const service = createSigningService({ db, seal, clock: { now: () => NOW } });
  await service.start();
  return service.keys();
}

async function statesOf(installation: Installation): Promise<Record<string, string>> {
  const rows = await installation.db.read.selectFrom('fax_job').selectAll().orderBy('id').execute();
  return Object.fromEntries(rows.map((row) => [row.id, `${row.delivery_state} ${row.dispatch_mode}`]));
}

describe.each(DATABASES)('A backup on $name', ({ server, skip }) => {
  it.skipIf(skip)(
    'rule (crossings): a backup brings back every table, document and key, and a restore sends no fax by itself',
    async () => {
      const before = await newInstallation(server);
      await addFax(before.db, { id: 'fax-planned', send_at: '2099-01-01T08:00:00.000Z' });
      const keys = await signingKeys(before);
      const file = join(folder, 'b.zip');
      const made = await backUp(before, file);
      expect(made).toMatchObject({ files: 6, missing: [] });
      const location = await newLocation(server);
      const restored = await restore(file, {
        dataFolder: location.folder,
        postgresUrl: location.postgresUrl,
      });
      expect(restored.settled).toEqual({ held: 3, unconfirmed: 1 });
      expect(restored.setAside).toBeNull();
      const after = await open(location);
      try {
        expect(await statesOf(after)).toEqual({
          'fax-held': 'held normal',
          'fax-ready': 'held held',
          'fax-planned': 'held held',
          'fax-preparing': 'held held',
          'fax-submitting': 'reconciliation_required normal',
          'fax-in_progress': 'in_progress normal',
          'fax-success': 'success normal',
        });
        expect(await after.db.read.selectFrom('job').selectAll().execute()).toEqual([]);
        const lines = await after.db.read
          .selectFrom('fax_history')
          .selectAll()
          .where('job_id', '=', 'fax-ready')
          .execute();
        expect(lines.map((line) => line.text)).toEqual([
          'Held after a restore: it may have been sent after the backup was made.',
        ]);
        const attempt = await after.db.read.selectFrom('fax_attempt').selectAll().executeTakeFirstOrThrow();
        expect(attempt).toMatchObject({ phase: 'uncertain', error_category: 'worker_lost' });
        const same = (db: Installation) =>
          db.db.read.selectFrom('fax_job').selectAll().where('id', '=', 'fax-success').executeTakeFirst();
        expect(await same(after)).toEqual(await same(before));
        expect(await signingKeys(after)).toEqual(keys);
        expect(await readFile(join(location.folder, 'files/fax/fax-ready.pdf'), 'utf8')).toBe(
          '%PDF of ready',
        );
        for (const key of ['data.key', 'installation.key', 'https/root.sealed']) {
          expect(await readFile(join(location.folder, key))).toEqual(
            await readFile(join(before.folder, key)),
          );
          expect((await stat(join(location.folder, key))).mode & 0o777).toBe(0o600);
        }
        expect(await readdir(location.folder)).not.toContainEqual(expect.stringContaining('.restore'));
      } finally {
        await after.close();
      }
    },
  );

  it.skipIf(skip)('is one moment, however much is written meanwhile', async () => {
    const before = await newInstallation(server);
    for (let n = 0; n < 300; n += 1) await addFax(before.db, { id: `early-${n}` });
    const file = join(folder, 'b.zip');
    const writing = { on: true, count: 0 };
    const writer = (async () => {
      for (; writing.on; writing.count += 1) {
        await addFax(before.db, { id: `late-${writing.count}` });
        // The embedded database answers at once: without a turn of the loop nobody else would come to work.
        await setImmediate();
      }
    })();
    await backUp(before, file);
    writing.on = false;
    await writer;
    expect(writing.count).toBeGreaterThan(0);
    const location = await newLocation(server);
    await restore(file, { dataFolder: location.folder, postgresUrl: location.postgresUrl });
    const after = await open(location);
    try {
      const ids = (await after.db.read.selectFrom('fax_job').select('id').execute()).map((row) => row.id);
      const late = ids.filter((id) => id.startsWith('late')).length;
      expect(ids).toHaveLength(306 + late);
      // Rows that a transaction wrote together are there together, without gaps.
      for (let n = 0; n < late; n += 1) expect(ids).toContain(`late-${n}`);
    } finally {
      await after.close();
    }
  });

  it.skipIf(skip)('replaces an installation only with the option, and then moves it aside', async () => {
    const before = await newInstallation(server);
    const file = join(folder, 'b.zip');
    await backUp(before, file);
    await addFax(before.db, { id: 'later' });
    await before.close();
    const target = { dataFolder: before.folder, postgresUrl: before.postgresUrl };
    await expect(restore(file, target)).rejects.toThrow(OccupiedError);
    const restored = await restore(file, { ...target, replace: true });
    const after = await open(before);
    try {
      expect(Object.keys(await statesOf(after))).not.toContain('later');
    } finally {
      await after.close();
    }
    const aside = restored.setAside ?? '';
    expect(await readdir(aside)).toContain('data.key');
    if (before.postgresUrl) return;
    const older = openDatabase({ postgresUrl: null, sqliteFile: join(aside, 'faxdesk.sqlite') });
    const found = await older.read.selectFrom('fax_job').select('id').where('id', '=', 'later').execute();
    await older.close();
    expect(found).toHaveLength(1);
  });

  it.skipIf(skip)('is not restored into a location in use', async () => {
    const before = await newInstallation(server);
    const file = join(folder, 'b.zip');
    await backUp(before, file);
    const target = { dataFolder: before.folder, postgresUrl: before.postgresUrl, replace: true };
    if (before.postgresUrl) await expect(restore(file, target)).rejects.toThrow(InUseError);
    await before.close();
    const lock = lockFile(join(before.folder, 'gateway.lock'));
    await expect(restore(file, target)).rejects.toThrow(InUseError);
    lock?.release();
    await restore(file, target);
  });
});

describe('A backup', () => {
  it.skipIf(postgresUrl === null)(
    `made on SQLite is restored into PostgreSQL, and back${withoutPostgres}`,
    async () => {
      const before = await newInstallation(null);
      await backUp(before, join(folder, 'lite.zip'));
      const location = await newLocation(postgresUrl);
      await restore(join(folder, 'lite.zip'), {
        dataFolder: location.folder,
        postgresUrl: location.postgresUrl,
      });
      const middle = await open(location);
      await backUp(middle, join(folder, 'post.zip'));
      const states = await statesOf(middle);
      await middle.close();
      const last = await newLocation(null);
      await restore(join(folder, 'post.zip'), { dataFolder: last.folder });
      const after = await open(last);
      expect(await statesOf(after)).toEqual(states);
      await after.close();
    },
  );

  it('notes a document that was cleaned up meanwhile instead of failing', async () => {
    const before = await newInstallation(null);
    await before.storage.remove('fax/fax-success.pdf');
    const made = await backUp(before, join(folder, 'b.zip'));
    expect(made).toMatchObject({ files: 5, missing: ['fax/fax-success.pdf'] });
    const location = await newLocation(null);
    const restored = await restore(join(folder, 'b.zip'), { dataFolder: location.folder });
    expect(restored.manifest.missing).toEqual(['fax/fax-success.pdf']);
  });

  it('rule (storage): a backup says how many documents stay in the bucket, which are not missing', async () => {
    const before = await newInstallation(null);
    await before.storage.writeMark({
      installation: 'one',
      generation: 1,
      database: 'sqlite',
      bucket: 's3://faxes/office/',
    });
    await before.storage.remove('fax/fax-success.pdf');
    const made = await backUp(before, join(folder, 'b.zip'));
    const bucket = { address: 's3://faxes/office/', documents: 1 };
    expect(made).toMatchObject({ files: 5, missing: [], lost: [], bucket });
    const location = await newLocation(null);
    const restored = await restore(join(folder, 'b.zip'), { dataFolder: location.folder });
    expect(restored.manifest).toMatchObject({ missing: [], bucket });
  });

  it('can be read by its owner only and leaves nothing behind when it cannot be finished', async () => {
    const before = await newInstallation(null);
    const file = join(folder, 'b.zip');
    await backUp(before, file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const older = await readFile(file);
    const source = {
      ...before,
      storage: { ...before.storage, open: () => Promise.reject(new Error('broken disk')) },
    };
    await expect(backUp(source, file)).rejects.toThrow('broken disk');
    expect(await readdir(folder)).toEqual(['b.zip']);
    expect(await readFile(file)).toEqual(older);
  });

  it('of nothing is refused with a sentence', async () => {
    const location = await newLocation(null);
    const empty = await open(location);
    cleaning.push(empty);
    await empty.close();
    await rm(join(location.folder, 'faxdesk.sqlite'));
    const { createBackup } = await import('../../server/backup/create-backup.ts');
    const source = { store: { postgresUrl: null, sqliteFile: join(location.folder, 'faxdesk.sqlite') } };
    const parts = { release: '0', clock: { now: () => 0 }, recipients: [] };
    await expect(
      createBackup(
        { ...source, storage: empty.storage, keys: {}, hasEveryKey: async () => true },
        join(folder, 'b.zip'),
        parts,
      ),
    ).rejects.toThrow('There is nothing to back up');
  });
});
