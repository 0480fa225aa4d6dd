import { existsSync } from 'node:fs';
import { cp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBackup } from '../../server/backup/create-backup.ts';
import { backupSource } from '../../server/backup/installation.ts';
import { openDatabase } from '../../server/db/database.ts';
import { allTables } from '../../server/db/table-order.ts';
import type { TestGateway } from '../setup/gateway.ts';
import { DAY, HOUR } from '../setup/manual-clock.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { RELEASE, restore } from './backup-setup.ts';
import {
  copyStore,
  documentsIn,
  markOf,
  newDatabase,
  newFolder,
  newGateway,
  refusedOn,
  startOn,
} from './storage-setup.ts';

const ACCEPT = { boot: { acceptEmptyStore: true } };

/** Removes the store of a stopped gateway. */
async function loseStore({ dataFolder }: TestGateway): Promise<void> {
  await copyStore(await newFolder(), dataFolder);
}

async function warningsOf(gateway: TestGateway): Promise<string[]> {
  const answer = await gateway.request('GET', '/health/ready');
  return ((await answer.json()) as { warnings: string[] }).warnings;
}

async function storeFiles({ dataFolder }: TestGateway): Promise<string[]> {
  return (await readdir(dataFolder)).filter((name) => name.startsWith('faxdesk.sqlite'));
}

describe('a gateway on SQLite', () => {
  test('does not start on a lost store, and with the option moves the documents aside for good', async () => {
    const gateway = await newGateway();
    for (let n = 0; n < 3; n += 1) await gateway.send();
    const documents = await documentsIn(gateway);
    await gateway.stop();
    await loseStore(gateway);
    const { dataFolder } = gateway;
    expect(await refusedOn(gateway)).toBe(
      `There are documents in ${join(dataFolder, 'files')}, and the store ${join(dataFolder, 'faxdesk.sqlite')} is new: it has no record of them. Nothing was changed. Restore a backup (faxdesk restore --replace), name the right database (DATABASE_URL) or data folder, or start once with --accept-empty-store, which first moves the documents that the database does not list to a separate folder and holds waiting faxes.`,
    );
    expect(documents).toHaveLength(3);
    expect(await documentsIn(gateway)).toEqual(documents);
    expect(await storeFiles(gateway)).toEqual([]);
    const again = await startOn(gateway, ACCEPT);
    const [folder = ''] = await readdir(join(dataFolder, 'files/set-aside'));
    expect(await documentsIn(gateway)).toEqual([]);
    expect(await documentsIn(gateway, `files/set-aside/${folder}/fax`)).toEqual(documents);
    expect(again.logLines.find((line) => line.includes('were moved aside'))).toContain(
      join('files', 'set-aside', folder),
    );
    const { id } = await again.send();
    const last = await startOn(again);
    last.clock.advance(60 * DAY);
    await last.processAll();
    expect(await last.fax(id)).toMatchObject({ id });
    expect(await documentsIn(gateway, `files/set-aside/${folder}/fax`)).toEqual(documents);
  });

  test('does not start on an older copy of its store, and with the option keeps what the copy names', async () => {
    const gateway = await newGateway();
    const first = await gateway.send();
    await gateway.stop();
    const copy = await newFolder();
    await copyStore(gateway.dataFolder, copy);
    const later = await startOn(gateway);
    await later.send();
    const hourly = await newFolder();
    await copyStore(gateway.dataFolder, hourly);
    later.clock.advance(HOUR);
    await later.processAll();
    const running = await newFolder();
    await copyStore(gateway.dataFolder, running);
    await later.stop();
    const documents = await documentsIn(gateway);
    for (const older of [running, hourly, copy]) {
      await copyStore(older, gateway.dataFolder);
      expect(await refusedOn(gateway)).toContain('which is an older copy. Nothing was changed.');
    }
    expect(await documentsIn(gateway)).toEqual(documents);
    // The copy has the first fax still waiting; since then it was sent.
    const sent = gateway.emulator.faxes.size;
    const accepted = await startOn(gateway, ACCEPT);
    expect(await documentsIn(gateway)).toEqual([`${first.id}.pdf`]);
    expect(await documentsIn(gateway, 'files/set-aside')).toHaveLength(1);
    await accepted.processAll();
    expect(accepted.emulator.faxes.size).toBe(sent);
    expect(await accepted.fax(first.id)).toMatchObject({ delivery_state: 'held' });
  });

  test('rule (storage): a gateway starts only where store and documents belong together', async () => {
    const gateway = await newGateway();
    const other = await newGateway();
    for (const each of [gateway, other]) await each.send();
    const documents = await documentsIn(gateway);
    for (const each of [gateway, other]) await each.stop();
    await copyStore(other.dataFolder, gateway.dataFolder);
    expect(await refusedOn(gateway)).toContain('belong to another installation than the store');
    expect(await documentsIn(gateway)).toEqual(documents);
  });

  test('does not start without the folder of its documents, and says so when that goes while it runs', async () => {
    const gateway = await newGateway();
    await gateway.send();
    await gateway.stop();
    const [files, away] = [join(gateway.dataFolder, 'files'), join(gateway.dataFolder, 'away')] as const;
    await rename(files, away);
    expect(await refusedOn(gateway)).toMatch(
      /^The documents of the store .* are not those in .*Connect the disk/u,
    );
    expect(await readdir(files)).toEqual([]);
    await rm(files, { recursive: true });
    await symlink(join(gateway.dataFolder, 'unmounted'), files, 'junction');
    await expect(startOn(gateway)).rejects.toThrow(/leads to a folder that does not exist/u);
    await rm(files);
    await rename(away, files);
    const again = await startOn(gateway);
    await rename(files, away);
    again.clock.advance(HOUR);
    await again.processAll();
    expect(await warningsOf(again)).toContainEqual(
      expect.stringContaining('does not belong to this database'),
    );
    expect(existsSync(join(files, 'installation.json'))).toBe(false);
    await rm(files, { recursive: true, force: true });
    await rename(away, files);
  });

  test.each(['store and documents', 'documents'])(
    'goes on where %s have no installation, as before there was one',
    async (which) => {
      const gateway = await newGateway();
      const { id } = await gateway.send();
      await gateway.stop();
      await rm(join(gateway.dataFolder, 'files/installation.json'));
      if (which !== 'documents') await forgetInstallation(gateway);
      await startOn(gateway);
      expect(await documentsIn(gateway)).toEqual([`${id}.pdf`]);
      expect((await markOf(gateway)).generation).toBeGreaterThan(0);
    },
  );

  test('starts on what a backup restored', async () => {
    const gateway = await newGateway();
    const { id } = await gateway.send();
    await gateway.stop();
    const file = join(await newFolder(), 'backup.zip');
    const { dataFolder } = gateway;
    const source = await backupSource({ dataFolder, databaseUrl: null, dataKey: null });
    await createBackup(source, file, { release: RELEASE, clock: gateway.clock, recipients: [] });
    const later = await startOn(gateway);
    await later.send();
    await later.stop();
    await restore(file, { dataFolder, replace: true });
    const restored = await startOn(gateway);
    expect(await documentsIn(restored)).toEqual([`${id}.pdf`]);
    expect(await restored.fax(id)).toMatchObject({ delivery_state: 'held' });
  });
});

async function forgetInstallation({ dataFolder }: TestGateway): Promise<void> {
  const db = openDatabase({ postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') });
  await db.transaction(async (tx) => void (await tx.deleteFrom('installation').execute()));
  await db.close();
}

describe.skipIf(postgresUrl === null)(`a gateway on PostgreSQL${withoutPostgres}`, () => {
  test('does not start when its database is not named, nor on an empty one', async () => {
    const databaseUrl = await newDatabase();
    const gateway = await newGateway({ databaseUrl });
    for (let n = 0; n < 3; n += 1) await gateway.send();
    const documents = await documentsIn(gateway);
    await gateway.stop();
    const sentence = await refusedOn(gateway, { databaseUrl: null });
    expect(sentence).toContain(
      `The documents in ${join(gateway.dataFolder, 'files')} belong to a PostgreSQL database`,
    );
    expect(sentence).toContain('name the right database (DATABASE_URL)');
    expect(await storeFiles(gateway)).toEqual([]);
    const empty = await newDatabase();
    expect(await refusedOn(gateway, { databaseUrl: empty })).toContain(
      `the database ${new URL(empty).pathname.slice(1)} at `,
    );
    const db = openDatabase({ postgresUrl: empty, sqliteFile: '' });
    expect(await allTables(db.unrestricted as never, db.capabilities)).toEqual([]);
    await db.close();
    expect(await documentsIn(gateway)).toEqual(documents);
    await startOn(gateway, { databaseUrl });
  });

  test('shares it with another that has the same documents, and with no other', async () => {
    const databaseUrl = await newDatabase();
    const one = await newGateway({ databaseUrl });
    const two = await newGateway({ databaseUrl });
    const faxes = [await one.send(), await two.send()];
    expect(await documentsIn(one)).toEqual(faxes.map(({ id }) => `${id}.pdf`).sort());
    const own = { databaseUrl, hasOwnDocuments: true, clock: one.clock, emulator: one.emulator };
    const empty = await newFolder();
    await expect(newGateway({ ...own, dataFolder: empty })).rejects.toThrow(
      /give every gateway of one database/u,
    );
    const stale = await newFolder();
    await cp(join(one.dataFolder, 'files'), join(stale, 'files'), { recursive: true });
    for (let n = 0; n < 2; n += 1) {
      one.clock.advance(HOUR);
      await one.processAll();
    }
    await expect(newGateway({ ...own, dataFolder: stale })).rejects.toThrow(/are not those in/u);
    await rm(join(stale, 'files/installation.json'));
    await expect(newGateway({ ...own, dataFolder: stale })).rejects.toThrow(/are not those in/u);
    const foreign = await newGateway();
    await foreign.send();
    await expect(startOn(foreign, own)).rejects.toThrow(/belong to another installation than the database/u);
    for (const gateway of [await startOn(one), await startOn(two)]) expect(await gateway.send()).toBeTruthy();
  });
});

test.skipIf(postgresUrl === null)(
  `a gateway whose documents are a copy of those of the other says so after three hours${withoutPostgres}`,
  async () => {
    const databaseUrl = await newDatabase();
    const one = await newGateway({ databaseUrl });
    const { clock, emulator } = one;
    const dataFolder = await newFolder();
    for (const name of ['files', 'data.key'])
      await cp(join(one.dataFolder, name), join(dataFolder, name), { recursive: true });
    const two = await newGateway({ databaseUrl, hasOwnDocuments: true, clock, emulator, dataFolder });
    const warnings: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      clock.advance(HOUR);
      for (const gateway of [one, two]) await gateway.processAll();
      warnings.push((await warningsOf(one)).filter((each) => each.includes('a different folder')).length);
    }
    expect(warnings).toEqual([0, 0, 1, 1]);
  },
);

test('what holds no documents and no rows starts with a new installation', async () => {
  const gateway = await newGateway();
  await gateway.stop();
  const { installation } = await markOf(gateway);
  await loseStore(gateway);
  const again = await startOn(gateway);
  expect((await markOf(gateway)).installation).not.toBe(installation);
  await writeFile(join(gateway.dataFolder, 'files/installation.json'), 'not a mark');
  await startOn(again);
});
