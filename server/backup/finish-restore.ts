import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_AWAY } from '../db/postgres.ts';
import { dropStaged, stagedState } from '../db/staged-schema.ts';
import { errorCode } from '../platform/errors.ts';
import {
  type FolderExchange,
  putInPlace,
  removeEmpty,
  removeFolder,
  STORE_FILE,
  takeBack,
} from './data-folder.ts';
import { UnfinishedRestoreError } from './errors.ts';
import {
  decide,
  type RestoreJournal,
  readJournal,
  removeJournal,
  stagingIdOf,
  stagingName,
} from './restore-journal.ts';

/** An installation by its places. */
export interface Location {
  readonly dataFolder: string;
  readonly postgresUrl: string | null;
}

/** Result of finishing or undoing a restore that was broken off. */
export type Finished = 'finished' | 'undone' | 'removed';

/** Sentences about it for the log and the terminal. */
export const FINISHED_SENTENCES: Readonly<Record<Finished, string>> = {
  finished: 'A restore that was broken off was finished: the restored installation is in place.',
  undone: 'A restore that was broken off was undone: the installation is as it was before.',
  removed: 'What a restore that was broken off had left was removed: the installation is as it was before.',
};

/**
 * Brings a restore that was broken off, by a kill or a power failure, to its end: afterwards there is the whole restored
 * installation or the whole older one. To be called under the lock of the data folder, before anything in it is opened. Null
 * when there was nothing to do. Throws UnfinishedRestoreError and DatabaseAwayError.
 */
export async function finishRestore(location: Location): Promise<Finished | null> {
  const { dataFolder } = location;
  try {
    const found = await readJournal(dataFolder);
    if (found !== null) {
      const finished = await bringToEnd(location, found);
      await removeLeftovers(location);
      return finished;
    }
    return (await removeLeftovers(location)) ? 'removed' : null;
  } catch (cause) {
    if (cause instanceof UnfinishedRestoreError || errorCode(cause) === DATABASE_AWAY) throw cause;
    const sentence = `A restore into ${dataFolder} was broken off and cannot be finished now (${errorCode(cause) || 'unknown reason'}). Check that Faxdesk may write there and that the disk has room, then try again.`;
    throw new UnfinishedRestoreError(sentence, { cause });
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof readJournal>>>;

/** The journal goes last: what it leaves is found by its name. */
export async function bringToEnd(
  location: Location,
  { way, journal }: Found,
): Promise<'finished' | 'undone'> {
  const { dataFolder } = location;
  assertSameDatabase(location, journal);
  const decided = way === 'undecided' ? await askDatabase(location, journal.id) : way;
  await decide(dataFolder, way, decided);
  if (decided === 'back') return goBack(dataFolder, journal);
  try {
    await putInPlace(dataFolder, exchangeOf(journal));
  } catch (error) {
    // The tables of the database are in place already; those of a file are not when the file is not.
    if (journal.database === 'postgres') throw error;
    await decide(dataFolder, 'forward', 'back');
    return goBack(dataFolder, journal);
  }
  await removeJournal(dataFolder, 'forward');
  return 'finished';
}

async function goBack(dataFolder: string, journal: RestoreJournal): Promise<'undone'> {
  await takeBack(dataFolder, exchangeOf(journal));
  await removeJournal(dataFolder, 'back');
  return 'undone';
}

/** Removes what restores have left that were never decided. Whether there was any; what cannot be removed stays. */
export async function removeLeftovers(location: Location): Promise<boolean> {
  const { dataFolder } = location;
  const names = await readdir(dataFolder).catch(() => []);
  const ids = names.map(stagingIdOf).filter((id) => id !== null);
  if (ids.length === 0) return false;
  try {
    // Made for an installation that was then not moved.
    for (const name of names.filter((each) => each.startsWith('before_restore_')))
      await removeEmpty(join(dataFolder, name));
    for (const id of ids) {
      // The folder last: its name is how the schema is found.
      if (location.postgresUrl !== null) await dropStaged(storeOf(location), id);
      await removeFolder(join(dataFolder, stagingName(id)));
    }
    return true;
  } catch {
    return false;
  }
}

export function exchangeOf({ id, aside, incoming }: RestoreJournal): FolderExchange {
  return { staging: stagingName(id), aside, incoming };
}

export function storeOf({ dataFolder, postgresUrl }: Location) {
  return { postgresUrl, sqliteFile: join(dataFolder, STORE_FILE) };
}

function assertSameDatabase({ dataFolder, postgresUrl }: Location, { database }: RestoreJournal): void {
  if ((postgresUrl === null) === (database === 'sqlite')) return;
  throw new UnfinishedRestoreError(
    database === 'postgres'
      ? anotherDatabase(dataFolder)
      : `A restore into ${dataFolder} was broken off. It was for the built-in database: start Faxdesk once without DATABASE_URL to finish it.`,
  );
}

async function askDatabase(location: Location, id: string): Promise<'forward' | 'back'> {
  const state = await stagedState(storeOf(location), id);
  if (state === 'unknown') throw new UnfinishedRestoreError(anotherDatabase(location.dataFolder));
  return state === 'taken' ? 'forward' : 'back';
}

const anotherDatabase = (dataFolder: string) =>
  `A restore into ${dataFolder} was broken off, and DATABASE_URL does not name the database that it was for. Name that database and start Faxdesk to finish it.`;
