import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_AWAY } from '../db/postgres.ts';
import { dropStaged, stagedState } from '../db/staged-schema.ts';
import { errorCode } from '../platform/errors.ts';
import {
  applyExchange,
  type FolderExchange,
  removeFolder,
  removeIfEmpty,
  STORE_FILE,
  undoExchange,
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

/** Result of finishing or undoing a restore that was interrupted. */
export type RestoreOutcome = 'finished' | 'undone' | 'removed';

/** Sentences about it for the log and the terminal. */
export const OUTCOME_SENTENCES: Readonly<Record<RestoreOutcome, string>> = {
  finished: 'An interrupted restore was finished: the restored installation is in place.',
  undone: 'An interrupted restore was undone: the installation is as it was before.',
  removed: 'The remains of an interrupted restore were removed: the installation is as it was before.',
};

/**
 * Brings a restore that was interrupted, by a kill or a power failure, to its end: afterwards there is the whole restored
 * installation or the whole older one. To be called under the lock of the data folder, before anything in it is opened. Null
 * when there was nothing to do. Throws UnfinishedRestoreError and DatabaseAwayError.
 */
export async function finishRestore(location: Location): Promise<RestoreOutcome | null> {
  const { dataFolder } = location;
  try {
    const found = await readJournal(dataFolder);
    if (found !== null) {
      const finished = await settleRestore(location, found);
      await removeLeftovers(location);
      return finished;
    }
    return (await removeLeftovers(location)) ? 'removed' : null;
  } catch (cause) {
    if (cause instanceof UnfinishedRestoreError || errorCode(cause) === DATABASE_AWAY) throw cause;
    const sentence = `A restore into ${dataFolder} was interrupted and cannot be finished now (${errorCode(cause) || 'unknown reason'}). Check that Faxdesk has permission to write there and that the disk has room, then try again.`;
    throw new UnfinishedRestoreError(sentence, { cause });
  }
}

type PendingRestore = NonNullable<Awaited<ReturnType<typeof readJournal>>>;

/** The journal goes last: what it leaves is found by its name. */
export async function settleRestore(
  location: Location,
  { way, journal }: PendingRestore,
): Promise<'finished' | 'undone'> {
  const { dataFolder } = location;
  assertSameDatabase(location, journal);
  const decided = way === 'undecided' ? await readDecision(location, journal.id) : way;
  await decide(dataFolder, way, decided);
  if (decided === 'back') return undoRestore(dataFolder, journal);
  try {
    await applyExchange(dataFolder, exchangeOf(journal));
  } catch (error) {
    // The tables of the database are in place already; those of a file are not when the file is not.
    if (journal.database === 'postgres') throw error;
    await decide(dataFolder, 'forward', 'back');
    return undoRestore(dataFolder, journal);
  }
  await removeJournal(dataFolder, 'forward');
  return 'finished';
}

async function undoRestore(dataFolder: string, journal: RestoreJournal): Promise<'undone'> {
  await undoExchange(dataFolder, exchangeOf(journal));
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
      await removeIfEmpty(join(dataFolder, name));
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
      ? wrongDatabaseSentence(dataFolder)
      : `A restore into ${dataFolder} was interrupted. It was for the built-in database: start Faxdesk once without DATABASE_URL to finish it.`,
  );
}

async function readDecision(location: Location, id: string): Promise<'forward' | 'back'> {
  const state = await stagedState(storeOf(location), id);
  if (state === 'unknown') throw new UnfinishedRestoreError(wrongDatabaseSentence(location.dataFolder));
  return state === 'taken' ? 'forward' : 'back';
}

const wrongDatabaseSentence = (dataFolder: string) =>
  `A restore into ${dataFolder} was interrupted, and DATABASE_URL does not name the database that it was for. Name that database and start Faxdesk to finish it.`;
