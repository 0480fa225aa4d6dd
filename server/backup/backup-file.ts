import { type FileHandle, open } from 'node:fs/promises';
import { AgeError } from '../platform/age/errors.ts';
import type { AgeIdentity } from '../platform/age/keys.ts';
import { isAgeFile, openAgeFile } from '../platform/age/open-file.ts';
import { BackupError, DamagedBackupError } from './errors.ts';

/** The zip of a backup, of which any part can be read. */
export interface BackupFile {
  /** Bytes of the zip. */
  readonly size: number;
  /** Yields the bytes from `start` to `end`, without the latter. */
  bytes(start: number, end: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Thrown for an encrypted backup without an identity that opens it. */
export class SealedBackupError extends BackupError {
  override name = 'SealedBackupError';
}

/**
 * Opens the zip of a backup, encrypted or plain; a plain one needs no identity. Nothing of an encrypted one is written anywhere.
 * Throws SealedBackupError, DamagedBackupError, and the error of the disk.
 */
export async function openBackupFile(
  path: string,
  identities: readonly AgeIdentity[] | null,
): Promise<BackupFile> {
  if (!(await isAgeFile(path))) return openPlain(path);
  if (identities === null)
    throw new SealedBackupError(
      'This backup is encrypted and opens only with its identity; nothing was changed.',
    );
  const file = await openAgeFile(path, identities).catch(refuseSealed);
  return {
    size: file.size,
    async *bytes(start, end) {
      try {
        yield* file.bytes(start, end);
      } catch (error) {
        refuseSealed(error);
      }
    },
    close: () => file.close(),
  };
}

async function openPlain(path: string): Promise<BackupFile> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return { size, bytes: (start, end) => readRange(file, start, end), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Bytes that are read at once. */
const PIECE_BYTES = 256 * 1024;

async function* readRange(file: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const count = Math.min(PIECE_BYTES, end - at);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, at);
    if (bytesRead === 0) throw new DamagedBackupError('its end is missing');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

function refuseSealed(error: unknown): never {
  if (!(error instanceof AgeError)) throw error;
  if (error.reason === 'damaged') throw new DamagedBackupError('it cannot be decrypted', { cause: error });
  throw new SealedBackupError(
    'This identity does not open the backup, which was encrypted for another recipient; nothing was changed.',
    { cause: error },
  );
}
