import { randomBytes } from 'node:crypto';
import { closeSync, fsync, fsyncSync, openSync, renameSync, rmSync, writevSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const flush = promisify(fsync);

/** Files being written start with this; a name that starts so is never a finished file. */
export const TEMPORARY_PREFIX = '.new-';

/** A name for the file while it is being written: same folder, so that the rename stays on one device. */
export function temporaryNameFor(path: string): string {
  return join(dirname(path), `${TEMPORARY_PREFIX}${randomBytes(6).toString('hex')}-${basename(path)}`);
}

/** Paths of the files, or folders of files, that this process is writing, each with the number of writers. */
const pendingWrites = new Map<string, number>();

/**
 * Keeps the temporary file of `path`, or those in the folder `path`, while `write` runs: a clock that jumped ahead, as when a
 * computer slept, makes a file that is being written look old. Also for what a process of documents writes.
 */
export async function whileWriting<T>(path: string, write: () => Promise<T>): Promise<T> {
  pendingWrites.set(path, (pendingWrites.get(path) ?? 0) + 1);
  try {
    return await write();
  } finally {
    const left = (pendingWrites.get(path) ?? 1) - 1;
    if (left > 0) pendingWrites.set(path, left);
    else pendingWrites.delete(path);
  }
}

/** True for a temporary file of this process, or of one that works for it, that is being written. */
export function isBeingWritten(temporary: string): boolean {
  const folder = dirname(temporary);
  const name = basename(temporary)
    .slice(TEMPORARY_PREFIX.length)
    .replace(/^[0-9a-f]+-/u, '');
  return pendingWrites.has(folder) || pendingWrites.has(join(folder, name));
}

/**
 * Writes a file so that after a power failure the name holds the old content or the whole new one: temporary name,
 * flush, rename, flush of the folder. `mode` is the file's permission, by default owner-only. Errors of the file system
 * (`ENOSPC`, `EACCES`, …) are passed on with their code, and the temporary file is removed.
 */
export async function writeDurably(path: string, bytes: Uint8Array | string, mode = 0o600): Promise<void> {
  await replaceDurably(path, mode, (file) => file.writeFile(bytes));
}

/** As {@link writeDurably}, with the content written by `fill`. */
export async function replaceDurably(
  path: string,
  mode: number,
  fill: (file: FileHandle) => Promise<unknown>,
): Promise<void> {
  await replaceFile(path, mode, async (file) => {
    await fill(file);
    await file.sync();
  });
  await flushFolder(dirname(path));
}

/** Replaces a file so that readers see the old content or the whole new one; a power failure may remove the file. */
export async function replaceFile(
  path: string,
  mode: number,
  fill: (file: FileHandle) => Promise<unknown>,
): Promise<void> {
  const temporary = temporaryNameFor(path);
  await whileWriting(path, async () => {
    try {
      const file = await open(temporary, 'wx', mode);
      try {
        await fill(file);
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  });
}

/**
 * As {@link writeDurably}, with the new content under the name before anything else of this process runs: for a change of what was
 * read just before.
 */
export async function writeDurablyAtOnce(path: string, text: string, mode = 0o600): Promise<void> {
  replaceSync(path, mode, [Buffer.from(text)], fsyncSync);
  await flushFolder(dirname(path));
}

/**
 * As {@link replaceFile}, for worker threads, which have nothing else to do meanwhile. The parts follow each other; `finish` gets the
 * file after the last one.
 */
export function replaceSync(
  path: string,
  mode: number,
  parts: readonly Uint8Array[],
  finish: (file: number) => void = () => undefined,
): void {
  const temporary = temporaryNameFor(path);
  try {
    const file = openSync(temporary, 'wx', mode);
    try {
      writeAllSync(file, parts);
      finish(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Writes parts at the end of a file; the system may take a part of the bytes at a time. */
export function writeAllSync(file: number, parts: readonly Uint8Array[]): void {
  for (let left = [...parts]; left.length > 0; ) left = remainingParts(left, writevSync(file, left));
}

/** Returns the rest of the parts after so many bytes were written. */
export function remainingParts(parts: readonly Uint8Array[], written: number): Uint8Array[] {
  let rest = written;
  const first = parts.findIndex((part) => {
    if (part.length > rest) return true;
    rest -= part.length;
    return false;
  });
  if (first === -1) return [];
  return [parts[first]!.subarray(rest), ...parts.slice(first + 1)];
}

/** Flushes the content of a file that another part wrote. */
export async function flushFile(path: string): Promise<void> {
  await flushOpened(openSync(path, 'r+'));
}

/**
 * Only the flush itself waits for the disk; opening and closing take a few microseconds, less than handing them to
 * another thread costs (80 µs each, measured).
 */
async function flushOpened(descriptor: number): Promise<void> {
  try {
    await flush(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Flushes the content of files and their names; together they share what the file system writes for each flush. */
export async function flushTogether(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map(flushFile));
  for (const folder of new Set(paths.map(dirname))) await flushFolder(folder);
}

/** Flushes a folder, so that a new or renamed name in it survives a power failure. Windows cannot and needs not. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await flushOpened(openSync(path, 'r'));
}
