import { constants } from 'node:fs';
import { access, type FileHandle, lstat, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { errorCode, SealError } from '../../platform/errors.ts';
import {
  type FileToRead,
  HEADER_BYTES,
  isSealed,
  openBytes,
  openStream,
  plainSizeOf,
  START_BYTES,
} from '../../platform/file-cipher.ts';
import type { FileSealer } from '../../platform/sealed-file.ts';
import { type Storage, StorageMissingError } from './port.ts';
import { readingError, StorageUnreadableError } from './reading-port.ts';

/** See `open` of the storage. */
export async function openStored(path: string, sealer: FileSealer | null): ReturnType<Storage['open']> {
  const { file, likelyBytes } = await openFile(path);
  try {
    // It may have been replaced by a sealed one since, of which the header is needed.
    const bytes = Math.min(Math.max(likelyBytes, HEADER_BYTES), START_BYTES);
    const [{ size }, start] = await Promise.all([file.stat(), readStart(file, bytes)]);
    const key = await keyOf(file, start, sealer);
    const sizeBytes = key === null ? size : plainSizeOf(size);
    if (start.length < size) {
      const stream = key && closing(file, openStream(key, file, { size, start }));
      return { stream: stream ?? file.createReadStream({ start: 0 }), sizeBytes };
    }
    const whole = key === null ? start : openBytes(key, start);
    await file.close();
    return { stream: Readable.from(size === 0 ? [] : [whole], { objectMode: false }), sizeBytes };
  } catch (error) {
    await file.close();
    throw readingError(error);
  }
}

/** A stored file for a reader of its own, with its key where it is sealed. Throws as `openStored`. */
export async function openForReader(path: string, sealer: FileSealer | null): Promise<FileToRead> {
  const { file } = await openFile(path);
  try {
    const key = await keyOf(file, await readStart(file, HEADER_BYTES), sealer);
    return key === null ? path : { path, key };
  } catch (error) {
    throw readingError(error);
  } finally {
    await file.close();
  }
}

/**
 * Opens a file, with its length a moment before, so that no more memory is taken for a small one than it needs. Only where the folder can be
 * read is a missing file certain. Links are never followed.
 */
async function openFile(path: string): Promise<{ file: FileHandle; likelyBytes: number }> {
  try {
    const found = await lstat(path);
    if (found.isFile()) return { file: await open(path, 'r'), likelyBytes: found.size };
  } catch (error) {
    if (!isMissing(error)) throw readingError(error);
    await access(dirname(path), constants.R_OK | constants.X_OK).catch((cause: unknown) => {
      throw isMissing(cause) ? folderMissing(cause) : readingError(cause);
    });
  }
  throw new StorageMissingError(`nothing is stored at ${path}`);
}

const isMissing = (error: unknown) => errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';

const folderMissing = (cause: unknown) =>
  new StorageUnreadableError(
    'The document cannot be read. Its folder cannot be found: check that its disk is connected.',
    cause,
  );

/** Its first bytes: all of a small file at once. */
async function readStart(file: FileHandle, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** As `keyIn`. While the data key is replaced the start may have been read at the moment in which it was written anew. */
async function keyOf(file: FileHandle, start: Buffer, sealer: FileSealer | null): Promise<Uint8Array | null> {
  try {
    return keyIn(start, sealer);
  } catch (error) {
    if (!(error instanceof SealError) || sealer?.hasFormerKey !== true) throw error;
    return keyIn(await readStart(file, HEADER_BYTES), sealer);
  }
}

/** The key of a file by its start; null for one that is stored as it is. Throws SealError when it cannot be had. */
function keyIn(start: Buffer, sealer: FileSealer | null): Uint8Array | null {
  return sealer !== null && isSealed(start) ? sealer.keyOf(start) : null;
}

/** The file is closed when its reader has all of it or wants no more, also one who wants nothing of it at all. */
function closing(file: FileHandle, pieces: AsyncIterable<Buffer>): Readable {
  const stream = Readable.from(pieces, { objectMode: false });
  stream.once('close', () => void file.close().catch(() => undefined));
  return stream;
}
