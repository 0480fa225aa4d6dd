import { createReadStream, type Dirent, linkSync, realpathSync, renameSync } from 'node:fs';
import { lstat, opendir, readdir, realpath, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import {
  flushFile,
  flushFolder,
  replaceDurably,
  TEMPORARY_PREFIX,
  writeDurably,
} from '../../platform/durable-file.ts';
import { type NewFileKey, sealBytes, sealStream } from '../../platform/file-cipher.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { createPackedTexts } from '../../platform/packed-bytes.ts';
import type { FileSealer } from '../../platform/sealed-file.ts';
import { removeTemporaryFiles } from '../../platform/temporary-files.ts';
import { readMark, writeMark } from './mark.ts';
import { createNameLocks } from './name-locks.ts';
import { openForReader, openStored } from './open-stored.ts';
import {
  type Storage,
  StorageMissingError,
  StorageNameError,
  type StoragePlace,
  type StorageSource,
  storageSegments,
} from './port.ts';
import { readingError } from './reading-port.ts';
import { isReserved, SET_ASIDE_FOLDER, UNCLAIMED_FOLDER } from './reserved-names.ts';
import { createRestSealer } from './rest-sealer.ts';
import {
  moveDurably,
  moveFromUnclaimed,
  moveToUnclaimed,
  removeLoneRecords,
  removeUnclaimed,
  unclaimedIn,
} from './unclaimed.ts';

const OWNER_FILE = 0o600;
/** Entries of a folder that are read in one call of the system. */
const ENTRIES_AT_ONCE = 500;

/** Configuration of how documents are sealed. */
interface Sealing {
  readonly sealer: FileSealer;
  /** Returns true when new files are sealed; sealed files are opened either way. */
  isOn(): boolean;
  /** Seals the key in the header of a file with the first data key, where a former one sealed it. */
  renewHeader(path: string): Promise<unknown>;
}

/** Documents in a folder of this computer. */
interface LocalStorage extends Storage {
  readonly root: string;
  /** Returns the path for a file that another writer creates durably and completely, with the folder made. */
  place(name: string): Promise<string>;
  localPath(name: string): string;
}

/**
 * Documents as owner-only files below `folder`, which is made when missing. Without `sealing` every file is read and written
 * byte for byte, as backups have it.
 */
export async function createLocalStorage(
  folder: string,
  sealing: Sealing | null = null,
): Promise<LocalStorage> {
  await makeFolder(folder);
  // The real path, so that a link on the way to the root (as /tmp is on macOS) is not mistaken for an escape.
  const root = await realpath(resolve(folder));
  const locks = createNameLocks();
  const sealer = sealing?.sealer ?? null;
  const newKey = () => (sealing?.isOn() ? sealing.sealer.newKey() : null);
  /** A key that was made, or a file that was written, before the data key was replaced may come to be stored only afterwards. */
  const renew = async (path: string) => await sealing?.renewHeader(path);
  const renewAfter = async <T>(name: string, writing: Promise<T>): Promise<T> => {
    const result = await writing;
    await renew(pathOf(root, name));
    return result;
  };
  const rest = createRestSealer({
    root,
    newKey,
    renewed: ({ wrapped }) => sealer?.renewed(wrapped) ?? null,
    locks,
    renew,
    names: () => listNamesToSeal(root),
  });
  const recorded = new Set<Set<string>>();
  const place = (name: string) => {
    for (const names of recorded) names.add(name);
    return placeOf(root, name);
  };
  return {
    root,
    newKey,
    write: async (name, from) => renewAfter(name, write(await place(name), from, newKey())),
    writeSealed: async (name, from) =>
      renewAfter(name, write(await place(name), from, sealing?.sealer.newKey() ?? null)),
    copy: async (name, path) => renewAfter(name, copy(await place(name), path)),
    duplicate: async (from, name) =>
      renewAfter(name, duplicate(await safePath(root, from), await place(name))),
    place,
    create: async (name, make) =>
      renewAfter(name, create({ path: await place(name), seal: newKey(), durable: true }, make)),
    open: async (name) => openStored(await safePath(root, name), sealer),
    withFile: (name, work) =>
      locks.read(name, async () => work(await openForReader(await safePath(root, name), sealer))),
    sealStored: () => rest.run(),
    close: () => rest.stop(),
    localPath: (name) => pathOf(root, name),
    exists: async (name) => (await findFile(root, name)) !== null,
    remove: (name) => locks.change(name, () => remove(root, name)),
    names: (prefix) => names(root, '', prefix),
    hasNames: (prefix) => hasNames(root, '', prefix),
    recordNames: () => {
      const names = new Set<string>();
      recorded.add(names);
      return { names, stop: () => recorded.delete(names) };
    },
    list: (prefix) => list(root, prefix),
    changedAt: async (name) => (await findFile(root, name))?.changedAt ?? null,
    unclaimed: unclaimedOf({ root, locks, renew, place }),
    setAside: (given, folder) => setAside(root, given, folder),
    listSetAside: async () => {
      const folder = join(root, SET_ASIDE_FOLDER);
      return (await entriesOf(folder)).map(({ name }) => join(folder, name)).sort();
    },
    readMark: () => readMark(root),
    writeMark: (mark) => writeMark(root, mark),
    removeTemporary: async (before) => {
      const enters = (path: string) => path !== join(root, SET_ASIDE_FOLDER);
      return (await removeTemporaryFiles(root, { before, enters })) + (await removeLoneRecords(root, before));
    },
  };
}

interface UnclaimedParts {
  readonly root: string;
  readonly locks: ReturnType<typeof createNameLocks>;
  readonly renew: (path: string) => Promise<unknown>;
  readonly place: (name: string) => Promise<string>;
}

/** A document has the header of the present data key before it gets another name. */
function unclaimedOf({ root, locks, renew, place }: UnclaimedParts): Storage['unclaimed'] {
  return {
    add: (name, why) =>
      locks.change(name, async () => {
        const path = pathOf(root, name);
        await renew(path);
        return moveToUnclaimed(root, { path, name }, why);
      }),
    list: () => unclaimedIn(root),
    putBack: ({ id, name }) =>
      locks.change(unclaimedName(id), async () => {
        await renew(join(root, unclaimedName(id)));
        return moveFromUnclaimed(root, id, await place(name));
      }),
    remove: ({ id }) => locks.change(unclaimedName(id), () => removeUnclaimed(root, id)),
  };
}

function pathOf(root: string, name: string): string {
  const segments = storageSegments(name);
  if (segments.some((part) => part.startsWith(TEMPORARY_PREFIX)) || isReserved(segments[0] ?? '')) {
    throw new StorageNameError(`reserved by the storage: ${name}`);
  }
  return join(root, ...segments);
}

/** The path of a name in a folder that exists and lies inside the root. */
async function placeOf(root: string, name: string): Promise<string> {
  const path = pathOf(root, name);
  await assertInside(root, path).catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    await makeFolders(root, dirname(path));
    await assertInside(root, path);
  });
  return path;
}

async function write(path: string, from: StorageSource, key: NewFileKey | null): Promise<void> {
  if (from instanceof Uint8Array)
    await writeDurably(path, key === null ? from : sealBytes(key, from), OWNER_FILE);
  else if (key === null) await moveOrCopy(from.path, path);
  else await sealFile(from.path, path, key);
}

/** The sealed file is whole and flushed before the plain one goes. */
async function sealFile(source: string, path: string, key: NewFileKey): Promise<void> {
  await replaceDurably(path, OWNER_FILE, (file) => file.writeFile(sealStream(key, createReadStream(source))));
  await rm(source, { force: true });
}

/** Moves the source on the same device, else copies it and then removes it. */
async function moveOrCopy(source: string, path: string): Promise<void> {
  await flushFile(source);
  try {
    // As quick as handing it to another thread, and one hand-over less.
    renameSync(source, path);
    await flushFolder(dirname(path));
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    await replaceDurably(path, OWNER_FILE, (file) => file.writeFile(createReadStream(source)));
    await rm(source, { force: true });
  }
}

/** A second name on the same device, else a copy: other devices, some file systems, and one name too many. */
async function copy(path: string, source: string): Promise<void> {
  await flushFile(source);
  try {
    linkSync(source, path);
    await flushFolder(dirname(path));
  } catch {
    await replaceDurably(path, OWNER_FILE, (file) => file.writeFile(createReadStream(source)));
  }
}

async function duplicate(source: string, path: string): Promise<void> {
  await copy(path, source).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT'
      ? new StorageMissingError(`nothing is stored at ${source}`)
      : readingError(error);
  });
}

async function create<T>(place: StoragePlace, make: (place: StoragePlace) => Promise<T>): Promise<T> {
  try {
    return await make(place);
  } catch (error) {
    await rm(place.path, { force: true });
    throw error;
  }
}

/** Makes the folders below the root and flushes the parent of each new one. */
async function makeFolders(root: string, folder: string): Promise<void> {
  const first = await makeFolder(folder);
  if (first === null) return;
  for (let made = folder; made !== root && made.length >= first.length; made = dirname(made)) {
    await flushFolder(dirname(made));
  }
}

/** A link planted inside the root must not lead a write or a read out of it. */
async function assertInside(root: string, path: string): Promise<void> {
  const folder = realpathSync.native(dirname(path));
  if (folder !== dirname(path) || !`${folder}${sep}`.startsWith(`${root}${sep}`)) {
    throw new StorageNameError(`leads through a link: ${path}`);
  }
}

interface FoundFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly changedAt: number;
}

/** Null when there is none. Links are never followed. */
async function findFile(root: string, name: string): Promise<FoundFile | null> {
  const path = pathOf(root, name);
  try {
    const found = await lstat(path);
    await assertInside(root, path);
    // A second name of an older file is as new as that name.
    const changedAt = Math.max(found.mtimeMs, found.ctimeMs);
    return found.isFile() ? { path, sizeBytes: found.size, changedAt } : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** The path of a stored name, not through a link where its folder exists. */
async function safePath(root: string, name: string): Promise<string> {
  const path = pathOf(root, name);
  await assertInside(root, path).catch((error: unknown) => {
    if (error instanceof StorageNameError) throw error;
  });
  return path;
}

async function remove(root: string, name: string): Promise<void> {
  const found = await findFile(root, name);
  if (found === null) return;
  await unlink(found.path);
  await flushFolder(dirname(found.path));
}

/**
 * Reads a folder whole before its first name is used, so that changes meanwhile add none, and keeps the names packed: a million of them are
 * common.
 */
async function* names(root: string, folder: string, prefix: string): ReturnType<Storage['names']> {
  const within: string[] = [];
  const finished = createPackedTexts();
  try {
    for await (const entry of await opendir(join(root, folder), { bufferSize: ENTRIES_AT_ONCE })) {
      const { name, isWithin, isFinished } = placeEntry(entry, folder, prefix);
      if (isWithin) within.push(name);
      if (isFinished) finished.add(name);
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  yield* finished.read();
  for (const name of within) yield* names(root, name, prefix);
}

/** Reads the folders piece by piece, so that a full one costs no more than an empty one. */
async function hasNames(root: string, folder: string, prefix: string): Promise<boolean> {
  try {
    for await (const entry of await opendir(join(root, folder))) {
      const { name, isWithin, isFinished } = placeEntry(entry, folder, prefix);
      if (isFinished || (isWithin && (await hasNames(root, name, prefix)))) return true;
    }
    return false;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Name of an entry below the root, with whether names of `prefix` can lie in it, and whether it is one itself. */
function placeEntry(entry: Dirent, folder: string, prefix: string) {
  const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
  const isOurs = folder !== '' || !isReserved(entry.name);
  const isOnTheWay = `${name}/`.startsWith(prefix) || prefix.startsWith(`${name}/`);
  const isDraft = entry.name.startsWith(TEMPORARY_PREFIX);
  return {
    name,
    isWithin: isOurs && entry.isDirectory() && isOnTheWay,
    isFinished: isOurs && entry.isFile() && !isDraft && name.startsWith(prefix),
  };
}

async function* list(root: string, prefix: string): ReturnType<Storage['list']> {
  for await (const name of names(root, '', prefix)) {
    const found = await stat(join(root, name)).catch(() => null);
    if (found !== null) yield { name, sizeBytes: found.size };
  }
}

/** Documents that may be restored to their name are sealed with the rest. */
async function* listNamesToSeal(root: string): AsyncGenerator<string> {
  yield* names(root, '', '');
  for await (const { id } of unclaimedIn(root)) yield unclaimedName(id);
}

const unclaimedName = (id: string): string => `${UNCLAIMED_FOLDER}/${id}`;

async function setAside(
  root: string,
  given: Parameters<Storage['setAside']>[0],
  folder: string,
): Promise<string | null> {
  const aside = join(root, SET_ASIDE_FOLDER, ...storageSegments(folder));
  let moved = 0;
  for await (const name of given) {
    const path = join(aside, ...storageSegments(name));
    await makeFolders(root, dirname(path));
    await moveDurably(pathOf(root, name), path);
    moved += 1;
  }
  return moved === 0 ? null : aside;
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
