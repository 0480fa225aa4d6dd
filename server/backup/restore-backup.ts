import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer, text as textOf } from 'node:stream/consumers';
import { createLocalStorage } from '../adapters/storage/local.ts';
import type { Storage } from '../adapters/storage/port.ts';
import type { Database, WriteTx } from '../db/database.ts';
import { migrations } from '../db/migrations/index.ts';
import { lockFile } from '../db/sqlite-file.ts';
import { type StagedStore, settledUsage, stageStore } from '../db/staging.ts';
import type { AgeIdentity } from '../platform/age/keys.ts';
import { type Clock, isoTime } from '../platform/clock.ts';
import { eachKey } from '../platform/data-keys.ts';
import { flushFolder, flushTogether, replaceDurably } from '../platform/durable-file.ts';
import { finishHeaders } from '../platform/header-journal.ts';
import { newId } from '../platform/ids.ts';
import { joinedProofs, KEY_PROOF_TABLE, type KeyState, keyStateOf } from '../platform/key-state.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { type Archive, openArchive } from './archive.ts';
import { FILES_FOLDER, partsIn, removeFolder, STORE_FILE } from './data-folder.ts';
import { BackupError, InUseError, OccupiedError, refusalOf, usersSentence } from './errors.ts';
import { exchangeInstallations, findAsideName } from './exchange.ts';
import { finishRestore, OUTCOME_SENTENCES, removeLeftovers } from './finish-restore.ts';
import { loadStore } from './load-store.ts';
import { KEY_NAMES, keyEntry, type Manifest } from './manifest.ts';
import { isUnfinished, stagingName } from './restore-journal.ts';

export interface RestoreTarget {
  readonly dataFolder: string;
  readonly postgresUrl: string | null;
  /** True when an existing installation may be moved aside. */
  readonly replace: boolean;
  /** The data key that the environment fixes, if any: it must be the backup's. */
  readonly fixedDataKey: Uint8Array | null;
  /** Identities that may open an encrypted backup; null without any. */
  readonly identities: readonly AgeIdentity[] | null;
}

export interface RestoreParts<T> {
  readonly release: string;
  readonly clock: Clock;
  /** Makes the rows safe before anybody works with them. */
  readonly settle: (tx: WriteTx) => Promise<T>;
  /** Lets the next start see that rows and documents belong together. */
  readonly join: (db: Database, storage: Storage) => Promise<void>;
  readonly onProgress?: (step: { what: 'check' | 'rows' | 'files'; count: number }) => void;
  /** Told, in a sentence, when an earlier restore was interrupted and is now brought to its end. */
  readonly onFinished?: (sentence: string) => void;
}

export interface RestoreSummary<T> {
  readonly manifest: Manifest;
  readonly settled: T;
  /** Destination of the previous installation: its folder, else its schema; null when there was none. */
  readonly setAside: string | null;
  /** State of the data key for what is sealed in it. */
  readonly key: KeyState;
}

/**
 * Puts a backup in the place of an installation. Everything is read and checked before the first byte is written, then
 * filled beside the target; one rename, or with PostgreSQL one commit, decides. Throws BackupError and its kinds; then nothing
 * was changed, unless it is an UnfinishedRestoreError. Broken off anywhere, `finishRestore` brings it to an end.
 */
export async function restoreBackup<T>(
  file: string,
  target: RestoreTarget,
  parts: RestoreParts<T>,
): Promise<RestoreSummary<T>> {
  const { identities } = target;
  const known = { release: parts.release, migrations: migrations.map((step) => step.name), identities };
  const onProgress = ({ bytes }: { bytes: number }) => parts.onProgress?.({ what: 'check', count: bytes });
  const archive = await openArchive(file, { ...known, onProgress });
  try {
    await checkDataKey(archive, target.fixedDataKey);
    return await withLock(target.dataFolder, () => restoreInto(archive, target, parts));
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await archive.close();
  }
}

/**
 * Runs the work under the lock of the data folder. A folder that does not exist has no gateway; it is made only once
 * the backup is verified.
 */
async function withLock<T>(dataFolder: string, work: () => Promise<T>): Promise<T> {
  const made = await makeFolder(dataFolder);
  const lock = lockFile(join(dataFolder, 'gateway.lock'));
  if (!lock) throw new InUseError(`Faxdesk is running on ${dataFolder}. Stop it first. Nothing was changed.`);
  try {
    return await work();
  } catch (error) {
    if (made !== null && !(await isUnfinished(dataFolder))) await removeFolder(made);
    throw error;
  } finally {
    lock.release();
  }
}

async function restoreInto<T>(
  archive: Archive,
  target: RestoreTarget,
  parts: RestoreParts<T>,
): Promise<RestoreSummary<T>> {
  const { dataFolder, postgresUrl } = target;
  // They belong to the installation that is moved aside.
  await finishHeaders(dataFolder);
  const finished = await finishRestore(target);
  if (finished !== null) parts.onFinished?.(OUTCOME_SENTENCES[finished]);
  const occupied = await checkTarget(target);
  const id = newId().replaceAll('-', '');
  const staging = join(dataFolder, stagingName(id));
  const filling: { store: StagedStore | null } = { store: null };
  try {
    await makeFolder(staging);
    // Flushes the folder first: its name identifies what is made in a database.
    await flushFolder(dataFolder);
    const storage = await restoreFiles(archive, staging, parts);
    const key = await restoreKey(archive, staging, target);
    const store = await stageStore({ postgresUrl, sqliteFile: join(staging, STORE_FILE) }, id);
    filling.store = store;
    const onRows = (count: number) => parts.onProgress?.({ what: 'rows', count });
    const settled = await loadStore(store.db, archive, parts.settle, onRows);
    await parts.join(store.db, storage);
    const aside = await findAsideName(target, isoTime(parts.clock.now()));
    filling.store = null;
    await exchangeInstallations(target, { id, store, aside, isOccupied: occupied !== 'nothing' });
    const inDatabase = `the schema ${aside} of the database`;
    const setAside = { nothing: null, folder: join(dataFolder, aside), database: inDatabase }[occupied];
    return { manifest: archive.manifest, settled, setAside, key };
  } catch (error) {
    // The next start removes what is left now.
    await filling.store?.discard().catch(() => undefined);
    if (!(await isUnfinished(dataFolder))) await removeLeftovers(target);
    throw error;
  }
}

/** Returns the content of the target. Throws OccupiedError and InUseError. */
async function checkTarget(target: RestoreTarget): Promise<'nothing' | 'folder' | 'database'> {
  const { dataFolder, postgresUrl, replace } = target;
  const found = await partsIn(dataFolder);
  const { tables, users } = postgresUrl
    ? await settledUsage({ postgresUrl, sqliteFile: '' })
    : { tables: 0, users: 0 };
  if (users > 0) throw new InUseError(usersSentence(users));
  const isOccupied = found.length > 0 || tables > 0;
  if (isOccupied && !replace)
    throw new OccupiedError(
      `There is already an installation in ${found.length > 0 ? dataFolder : 'the database'}. Use --replace to move it aside. Nothing was changed.`,
    );
  if (!isOccupied) return 'nothing';
  return found.length > 0 ? 'folder' : 'database';
}

/** Documents that share a flush: for each by itself it would take most of the time. */
const FLUSHED_TOGETHER = 256;

async function restoreFiles<T>(archive: Archive, staging: string, parts: RestoreParts<T>): Promise<Storage> {
  const storage = await createLocalStorage(join(staging, FILES_FOLDER));
  let unflushed: string[] = [];
  const flush = async () => {
    await flushTogether(unflushed);
    parts.onProgress?.({ what: 'files', count: unflushed.length });
    unflushed = [];
  };
  for await (const { name, read } of archive.files()) {
    await storage.create(name, async ({ path }) => {
      const file = await open(path, 'wx', 0o600);
      try {
        await file.writeFile(await read());
      } finally {
        await file.close();
      }
      unflushed.push(path);
    });
    if (unflushed.length === FLUSHED_TOGETHER) await flush();
  }
  await flush();
  for (const name of KEY_NAMES) {
    if (!archive.has(keyEntry(name))) continue;
    const path = join(staging, name);
    await makeFolder(dirname(path));
    await replaceDurably(path, 0o600, async (file) => file.writeFile(await archive.stream(keyEntry(name))));
  }
  return storage;
}

/** A backup without its key gets the one that is there, where that is the right one. */
async function restoreKey(archive: Archive, staging: string, target: RestoreTarget): Promise<KeyState> {
  const proof = await readKeyProof(archive);
  const { dataFolder, fixedDataKey } = target;
  const entry = keyEntry('data.key');
  if (fixedDataKey !== null)
    return keyStateOf(Buffer.from(Buffer.from(fixedDataKey).toString('base64')), proof);
  const backedUp = archive.has(entry) ? await buffer(await archive.stream(entry)) : null;
  const state = keyStateOf(backedUp, proof);
  if (state === 'whole') return state;
  const present = await readFile(join(dataFolder, 'data.key')).catch(() => null);
  if (present === null || keyStateOf(present, proof) !== 'whole') return state;
  await replaceDurably(join(staging, 'data.key'), 0o600, (file) => file.writeFile(present));
  return 'whole';
}

async function readKeyProof(archive: Archive): Promise<string | null> {
  if (!archive.manifest.tables.some(({ name }) => name === KEY_PROOF_TABLE)) return null;
  for await (const row of archive.rows(KEY_PROOF_TABLE)) return joinedProofs(row);
  return null;
}

async function checkDataKey(archive: Archive, fixed: Uint8Array | null): Promise<void> {
  const name = keyEntry('data.key');
  if (fixed === null || !archive.has(name)) return;
  const kept = Buffer.from((await textOf(await archive.stream(name))).trim(), 'base64');
  const given = eachKey(fixed);
  if (!eachKey(kept).every((key) => given.some((one) => Buffer.from(one).equals(key))))
    throw new BackupError(
      'The data key in the environment is not the one of this backup; nothing was changed.',
    );
}
