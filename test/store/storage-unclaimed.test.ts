import { existsSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBackup } from '../../server/backup/create-backup.ts';
import { backupSource } from '../../server/backup/installation.ts';
import { diagnose } from '../../server/cli/diagnosis.ts';
import { openDatabase } from '../../server/db/database.ts';
import type { TestGateway } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { RELEASE } from './backup-setup.ts';
import { DATABASES, documentsIn, newDatabase, newFolder, newGateway } from './storage-setup.ts';

/** Files have the time of the computer, whatever the clock of a test says. */
function advancePast(gateway: TestGateway, ms: number): void {
  gateway.clock.advance(Date.now() + ms - gateway.clock.now());
}

const unclaimedIn = (gateway: TestGateway) => documentsIn(gateway, 'files/unclaimed');

describe.each(DATABASES)('a document that no row names, on $name', ({ isPostgres, skip }) => {
  test.skipIf(skip)(
    'rule (storage): a document that no row names is moved aside for 30 days, never deleted at once',
    async () => {
      const databaseUrl = isPostgres ? await newDatabase() : null;
      const gateway = await newGateway({ databaseUrl });
      const boot = { dataFolder: gateway.dataFolder, databaseUrl, dataKey: null };
      const { id } = await gateway.send();
      await writeFile(join(gateway.dataFolder, 'files/fax/orphan.pdf'), '%PDF-1.7');
      // Another gateway may just be accepting it.
      advancePast(gateway, 5 * HOUR);
      await gateway.processAll();
      expect(await documentsIn(gateway)).toEqual([`${id}.pdf`, 'orphan.pdf'].sort());
      advancePast(gateway, 7 * HOUR);
      await gateway.processAll();
      expect(await documentsIn(gateway)).toEqual([`${id}.pdf`]);
      const [name = ''] = await unclaimedIn(gateway);
      const folder = join(gateway.dataFolder, 'files/unclaimed');
      expect(await readFile(join(folder, name), 'utf8')).toBe('%PDF-1.7');
      const record = JSON.parse(await readFile(join(folder, `${name}.record.json`), 'utf8')) as {
        since: string;
      };
      expect(record).toEqual({
        name: 'fax/orphan.pdf',
        since: expect.any(String) as string,
        reason: 'No fax names this document.',
        size_bytes: 8,
      });
      const removed = new Date(Date.parse(record.since) + 30 * DAY).toISOString();
      expect(
        (await diagnose({ ...boot, host: '', port: 0, apiKey: null, requireApiKey: true })).unclaimed,
      ).toEqual({
        count: 1,
        size_bytes: 8,
        since: record.since,
        next_removal: removed,
        folder,
      });
      const backup = await createBackup(await backupSource(boot), join(await newFolder(), 'b.zip'), {
        release: RELEASE,
        clock: gateway.clock,
        recipients: [],
      });
      expect(backup.files).toBe(1);
      await setArtifact(boot, id, null);
      gateway.clock.advance(HOUR);
      await gateway.processAll();
      expect(await documentsIn(gateway)).toEqual([]);
      await setArtifact(boot, id, `fax/${id}.pdf`);
      gateway.clock.advance(HOUR);
      await gateway.processAll();
      expect(await documentsIn(gateway)).toEqual([`${id}.pdf`]);
      gateway.clock.advance(30 * DAY - 3 * HOUR);
      await gateway.processAll();
      expect(await unclaimedIn(gateway)).toHaveLength(1);
      gateway.clock.advance(2 * HOUR);
      await gateway.processAll();
      expect(await readdir(folder)).toEqual([]);
      expect(await documentsIn(gateway)).toEqual([`${id}.pdf`]);
    },
  );
});

async function setArtifact(
  { dataFolder, databaseUrl }: { dataFolder: string; databaseUrl: string | null },
  id: string,
  artifact: string | null,
): Promise<void> {
  const db = openDatabase({ postgresUrl: databaseUrl, sqliteFile: join(dataFolder, 'faxdesk.sqlite') });
  await db.transaction(async (tx) => {
    await tx.updateTable('fax_job').set({ artifact }).where('id', '=', id).execute();
  });
  await db.close();
}

test('what a killed process was writing is removed after an hour, and nothing that is being written', async () => {
  const gateway = await newGateway();
  const written = async (path: string, ageMs: number) => {
    const full = join(gateway.dataFolder, path);
    await writeFile(full, 'half of it');
    const at = new Date(gateway.clock.now() - ageMs);
    await utimes(full, at, at);
    return full;
  };
  await gateway.send();
  gateway.clock.advance(DAY);
  const old = await Promise.all(
    [
      'files/fax/.new-0a-fax.pdf',
      'files/.new-0b-installation.json',
      '.new-0c-gateway.json',
      'work/.new-0d-page',
    ].map((path) => written(path, 2 * HOUR)),
  );
  const record = await written('files/unclaimed.record.json', 2 * HOUR);
  const fresh = await written('files/fax/.new-0e-fax.pdf', 30 * MINUTE);
  await gateway.processAll();
  expect(old.filter((path) => existsSync(path))).toEqual([]);
  expect([fresh, record].map((path) => existsSync(path))).toEqual([true, true]);
});
