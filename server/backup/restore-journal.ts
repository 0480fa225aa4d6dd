import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  isBetweenInstallations,
  RESTORE_WAYS,
  type RestoreWay,
  restoreJournalName,
} from '../../shared/data-folder.ts';
import { flushFolder, writeDurably } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';
import { PARTS } from './data-folder.ts';
import { UnfinishedRestoreError } from './errors.ts';

const ID = /^[0-9a-f]{32}$/;

const RestoreJournal = z.strictObject({
  version: z.literal(1),
  /** Stands in the name of the staging folder and, with PostgreSQL, of the staging schema. */
  id: z.string().regex(ID),
  database: z.enum(['sqlite', 'postgres']),
  /** The folder, and with PostgreSQL the schema, of the installation that was there; null when there was none. */
  aside: z
    .string()
    .regex(/^before_restore_\d{14}(_\d+)?$/)
    .nullable(),
  /** Parts to move from the staging folder to the data folder. */
  incoming: z.array(z.string().refine((name) => PARTS.includes(name))).min(1),
});
/** Record from which the next start finishes or undoes a restore. */
export type RestoreJournal = z.infer<typeof RestoreJournal>;

const STAGING_PREFIX = '.restore-';

/** The folder in which a restored installation is filled. */
export const stagingName = (id: string): string => `${STAGING_PREFIX}${id}`;

/** The id of a staging folder, null for other names. */
export function stagingIdOf(name: string): string | null {
  const id = name.startsWith(STAGING_PREFIX) ? name.slice(STAGING_PREFIX.length) : '';
  return ID.test(id) ? id : null;
}

/** From here on the next start goes that way: the journal takes its name by one rename, out of the staging folder. */
export async function writeJournal(
  dataFolder: string,
  way: RestoreWay,
  journal: RestoreJournal,
): Promise<void> {
  const name = restoreJournalName(way);
  const draft = join(dataFolder, stagingName(journal.id), name);
  await writeDurably(draft, JSON.stringify(journal));
  await rename(draft, join(dataFolder, name));
  await flushFolder(dataFolder);
}

/** Throws UnfinishedRestoreError when it cannot be understood. */
export async function readJournal(
  dataFolder: string,
): Promise<{ way: RestoreWay; journal: RestoreJournal } | null> {
  for (const way of RESTORE_WAYS) {
    const path = join(dataFolder, restoreJournalName(way));
    const text = await readFile(path, 'utf8').catch(nullWhenMissing);
    if (text === null) continue;
    try {
      return { way, journal: RestoreJournal.parse(JSON.parse(text)) };
    } catch (cause) {
      const sentence = `A restore was interrupted, and ${path}, which says how to finish it, is damaged. Restore the backup into an empty folder.`;
      throw new UnfinishedRestoreError(sentence, { cause });
    }
  }
  return null;
}

/** One rename decides. */
export async function decide(dataFolder: string, from: RestoreWay, to: RestoreWay): Promise<void> {
  if (from === to) return;
  await rename(join(dataFolder, restoreJournalName(from)), join(dataFolder, restoreJournalName(to)));
  await flushFolder(dataFolder);
}

/** Removes the journal. If it reappears after a power failure, every step is found done. */
export async function removeJournal(dataFolder: string, way: RestoreWay): Promise<void> {
  await rm(join(dataFolder, restoreJournalName(way)));
  await flushFolder(dataFolder).catch(() => undefined);
}

/** Returns true when the folder is between two installations; false when it is missing. */
export async function isUnfinished(dataFolder: string): Promise<boolean> {
  return isBetweenInstallations(await readdir(dataFolder).catch(() => []));
}

function nullWhenMissing(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null;
  throw error;
}
