import { AgeError } from '../platform/age/errors.ts';
import type { AgeIdentity } from '../platform/age/keys.ts';
import { isAgeFile, openAgeFile } from '../platform/age/open-file.ts';
import { CutOffError, openReadableFile, type ReadableFile } from '../platform/readable-file.ts';
import { BackupError, DamagedBackupError } from './errors.ts';

/** The zip of a backup, decrypted while it is read. */
export type BackupFile = ReadableFile;

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
  const file = (await isAgeFile(path)) ? await openSealed(path, identities) : await openReadableFile(path);
  return {
    size: file.size,
    async *bytes(start, end) {
      try {
        yield* file.bytes(start, end);
      } catch (error) {
        refuseUnreadable(error);
      }
    },
    close: () => file.close(),
  };
}

async function openSealed(path: string, identities: readonly AgeIdentity[] | null) {
  if (identities === null)
    throw new SealedBackupError(
      'This backup is encrypted and opens only with its identity; nothing was changed.',
    );
  return openAgeFile(path, identities).catch(refuseUnreadable);
}

function refuseUnreadable(error: unknown): never {
  if (error instanceof CutOffError) throw new DamagedBackupError('its end is missing', { cause: error });
  if (!(error instanceof AgeError)) throw error;
  if (error.reason === 'damaged') throw new DamagedBackupError('it cannot be decrypted', { cause: error });
  throw new SealedBackupError(
    'This identity does not open the backup, which was encrypted for another recipient; nothing was changed.',
    { cause: error },
  );
}
