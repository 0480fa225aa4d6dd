import { dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { createLocalStorage } from '../adapters/storage/local.ts';
import type { WriteTx } from '../db/database.ts';
import { migrations } from '../db/migrations/index.ts';
import { lockFile } from '../db/sqlite.ts';
import { occupation, type StagedStore, stageStore } from '../db/staging.ts';
import { type Clock, isoTime } from '../platform/clock.ts';
import { replaceDurably } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { type Archive, openArchive } from './archive.ts';
import { FILES_FOLDER, moveParts, partsIn, removeFolder, STORE_FILE } from './data-folder.ts';
import { BackupError, InUseError, OccupiedError } from './errors.ts';
import { loadStore } from './load-store.ts';
import { fileEntry, fileNameOf, KEY_NAMES, keyEntry, type Manifest } from './manifest.ts';

export interface RestoreTarget {
  readonly dataFolder: string;
  readonly postgresUrl: string | null;
  /** Whether an installation that is there may be moved aside. */
  readonly replace: boolean;
  /** The data key that the environment fixes, if any: it must be the backup's. */
  readonly fixedDataKey: Uint8Array | null;
}

export interface RestoreParts<T> {
  readonly release: string;
  readonly clock: Clock;
  /** Makes the rows safe before anybody works with them. */
  readonly settle: (tx: WriteTx) => Promise<T>;
  readonly onProgress?: (step: { what: 'check' | 'rows' | 'files'; count: number }) => void;
}

export interface RestoreSummary<T> {
  readonly manifest: Manifest;
  readonly settled: T;
  /** Where the installation went that was there before; null when there was none. */
  readonly setAside: string | null;
}

/**
 * Puts a backup in the place of an installation. Everything is read and checked before the first byte is written, then
 * filled beside the target and put in its place at the end. Throws BackupError and its kinds; then nothing was changed.
 */
export async function restoreBackup<T>(
  file: string,
  target: RestoreTarget,
  parts: RestoreParts<T>,
): Promise<RestoreSummary<T>> {
  const known = { release: parts.release, migrations: migrations.map((step) => step.name) };
  const onProgress = ({ bytes }: { bytes: number }) => parts.onProgress?.({ what: 'check', count: bytes });
  const archive = await openArchive(file, { ...known, onProgress });
  try {
    await checkDataKey(archive, target.fixedDataKey);
    return await withLock(target.dataFolder, () => restoreInto(archive, target, parts));
  } catch (error) {
    throw asBackupError(error);
  } finally {
    archive.close();
  }
}

/** A folder that does not exist holds no gateway; it is made only once the backup is known to be good. */
async function withLock<T>(dataFolder: string, work: () => Promise<T>): Promise<T> {
  await makeFolder(dataFolder);
  const lock = lockFile(join(dataFolder, 'gateway.lock'));
  if (!lock) throw new InUseError(`Faxdesk runs on ${dataFolder}; stop it first. Nothing was changed.`);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function restoreInto<T>(
  archive: Archive,
  target: RestoreTarget,
  parts: RestoreParts<T>,
): Promise<RestoreSummary<T>> {
  const isOccupied = await checkTarget(target);
  const stamp = isoTime(parts.clock.now()).replaceAll(/\D/g, '').slice(0, 14);
  const staging = join(target.dataFolder, `.restore-${newId()}`);
  await makeFolder(staging);
  const place = { postgresUrl: target.postgresUrl, sqliteFile: join(staging, STORE_FILE) };
  let store: StagedStore | null = null;
  try {
    await restoreFiles(archive, staging, parts);
    store = await stageStore(place, `restore_${stamp}`);
    const onRows = (count: number) => parts.onProgress?.({ what: 'rows', count });
    const settled = await loadStore(store.db, archive, parts.settle, onRows);
    const aside = `before_restore_${stamp}`;
    const taking = store;
    store = null;
    const setAside = await exchange({ taking, staging, aside, dataFolder: target.dataFolder, isOccupied });
    return { manifest: archive.manifest, settled, setAside };
  } finally {
    await store?.discard();
    await removeFolder(staging);
  }
}

/** Whether something is there. Throws OccupiedError and InUseError. */
async function checkTarget({ dataFolder, postgresUrl, replace }: RestoreTarget): Promise<boolean> {
  const found = await partsIn(dataFolder);
  const { tables, users } = postgresUrl
    ? await occupation({ postgresUrl, sqliteFile: '' })
    : { tables: 0, users: 0 };
  if (users > 0)
    throw new InUseError(
      `${users} other ${users === 1 ? 'connection uses' : 'connections use'} the database; stop every gateway and program on it first. Nothing was changed.`,
    );
  const isOccupied = found.length > 0 || tables > 0;
  if (isOccupied && !replace)
    throw new OccupiedError(
      `There is an installation in ${found.length > 0 ? dataFolder : 'the database'} already; with --replace it is moved aside. Nothing was changed.`,
    );
  return isOccupied;
}

/** Moves the older installation aside and the new one in; when the database refuses, the folder is put back. */
async function exchange(move: {
  taking: StagedStore;
  staging: string;
  aside: string;
  dataFolder: string;
  isOccupied: boolean;
}): Promise<string | null> {
  const { taking, staging, dataFolder } = move;
  const asideFolder = join(dataFolder, move.aside);
  if (taking.db.capabilities.name === 'sqlite') await taking.takePlace(move.aside);
  if (move.isOccupied) {
    await makeFolder(asideFolder);
    await moveParts(dataFolder, asideFolder);
  }
  try {
    await moveParts(staging, dataFolder);
    if (taking.db.capabilities.name === 'postgres') await taking.takePlace(move.aside);
  } catch (error) {
    if ((await partsIn(staging)).length === 0) await moveParts(dataFolder, staging);
    if (move.isOccupied) await moveParts(asideFolder, dataFolder);
    throw error;
  }
  return move.isOccupied ? asideFolder : null;
}

async function restoreFiles<T>(archive: Archive, staging: string, parts: RestoreParts<T>): Promise<void> {
  const storage = await createLocalStorage(join(staging, FILES_FOLDER));
  const extract = (entry: string, path: string) =>
    replaceDurably(path, 0o600, async (file) => file.writeFile(await archive.stream(entry)));
  const draft = join(staging, 'document');
  for (const entry of archive.manifest.entries) {
    const name = fileNameOf(entry.name);
    if (name === null) continue;
    await extract(fileEntry(name), draft);
    await storage.write(name, { path: draft });
    parts.onProgress?.({ what: 'files', count: 1 });
  }
  for (const name of KEY_NAMES) {
    if (!archive.has(keyEntry(name))) continue;
    const path = join(staging, name);
    await makeFolder(dirname(path));
    await extract(keyEntry(name), path);
  }
}

async function checkDataKey(archive: Archive, fixed: Uint8Array | null): Promise<void> {
  const name = keyEntry('data.key');
  if (fixed === null || !archive.has(name)) return;
  const kept = Buffer.from((await textOf(await archive.stream(name))).trim(), 'base64');
  if (!kept.equals(fixed))
    throw new BackupError(
      'The data key of the environment is not the one of this backup; nothing was changed.',
    );
}

function asBackupError(error: unknown): unknown {
  if (error instanceof BackupError) return error;
  if (errorCode(error) === 'ENOSPC' || errorCode(error) === 'SQLITE_FULL')
    return new BackupError('The disk is full; nothing was changed.', { cause: error });
  if (['EACCES', 'EPERM', 'EROFS', '42501'].includes(errorCode(error)))
    return new BackupError('Faxdesk may not write there; nothing was changed.', { cause: error });
  return error;
}
