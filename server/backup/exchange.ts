import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSchema } from '../db/staged-schema.ts';
import type { StagedStore } from '../db/staging.ts';
import { flushFolder } from '../platform/durable-file.ts';
import { applyExchange, makeAsideFolder, partsIn } from './data-folder.ts';
import { UnfinishedRestoreError } from './errors.ts';
import { exchangeOf, type Location, removeLeftovers, settleRestore, storeOf } from './finish-restore.ts';
import { type RestoreJournal, readJournal, stagingName, writeJournal } from './restore-journal.ts';

/** A name for the installation that is moved aside, which neither the folder nor the database has; `time` is ISO. */
export async function findAsideName(location: Location, time: string): Promise<string> {
  const names = await readdir(location.dataFolder);
  const stamp = `before_restore_${time.replaceAll(/\D/g, '').slice(0, 14)}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stamp : `${stamp}_${number}`;
    const isTaken =
      names.includes(name) || (location.postgresUrl !== null && (await hasSchema(storeOf(location), name)));
    if (!isTaken) return name;
  }
}

/**
 * Puts the installation that was filled in the staging folder, and its store, in the place of what is there. With SQLite the
 * name of the journal decides, with PostgreSQL the commit that moves the tables: the folder goes first, so that only one that
 * can follow lets it commit. Throws the error of the move when everything is as before, else UnfinishedRestoreError.
 */
export async function exchangeInstallations(
  location: Location,
  filled: { id: string; store: StagedStore; aside: string; isOccupied: boolean },
): Promise<void> {
  const { dataFolder } = location;
  const { id, store, isOccupied } = filled;
  const database = store.db.capabilities.name;
  try {
    // The file is whole only when it is closed.
    if (database === 'sqlite') await store.activate(filled.aside);
    await flushFolder(join(dataFolder, stagingName(id)));
    const aside = isOccupied ? filled.aside : null;
    if (aside !== null) await makeAsideFolder(dataFolder, aside);
    const incoming = await partsIn(join(dataFolder, stagingName(id)));
    const journal: RestoreJournal = { version: 1, id, database, aside, incoming };
    await writeJournal(dataFolder, database === 'sqlite' ? 'forward' : 'undecided', journal);
    await applyExchange(dataFolder, exchangeOf(journal));
    if (database === 'postgres') await store.activate(filled.aside);
    if ((await settleExchange(location)) === 'undone')
      throw new Error('the restored installation could not stay');
  } catch (error) {
    if ((await settleAfterFailure(location, error)) === 'undone') throw error;
  } finally {
    await store.close();
  }
  await removeLeftovers(location);
}

async function settleExchange(location: Location): Promise<'finished' | 'undone'> {
  const found = await readJournal(location.dataFolder);
  return found === null ? 'undone' : settleRestore(location, found);
}

/** The failure may be that of the answer alone, so reads whether it is finished or undone where that was decided. */
async function settleAfterFailure(location: Location, error: unknown): Promise<'finished' | 'undone'> {
  try {
    return await settleExchange(location);
  } catch {
    throw new UnfinishedRestoreError(
      'The restore was interrupted, and Faxdesk cannot tell whether the backup is in place. When the disk and the database respond, start Faxdesk or run the command again: either one finishes or undoes the restore.',
      { cause: error },
    );
  }
}
