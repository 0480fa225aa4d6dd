import { DATABASE_AWAY } from '../db/postgres.ts';
import { errorCode } from '../platform/errors.ts';
import { storeTroubleOf } from '../platform/store-trouble.ts';

/** A backup or restore that cannot be done. The message is for a person; nothing was changed, unless it says otherwise. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** The file is not a whole backup. */
export class DamagedBackupError extends BackupError {
  override name = 'DamagedBackupError';
  constructor(what: string, options?: ErrorOptions) {
    super(`This file is not a backup, or it is damaged (${what}); nothing was changed.`, options);
  }
}

/** Thrown when the backup was made by a release newer than this one. */
export class NewerBackupError extends BackupError {
  override name = 'NewerBackupError';
  constructor(release: string) {
    super(
      `This backup was made by the newer release ${release}; install that release first. Nothing was changed.`,
    );
  }
}

/** There is an installation where the backup is to go. */
export class OccupiedError extends BackupError {
  override name = 'OccupiedError';
}

/** A gateway works on the place where the backup is to go. */
export class InUseError extends BackupError {
  override name = 'InUseError';
}

/** Returns the sentence about other connections to a PostgreSQL database, whose number is given. */
export function usersSentence(users: number): string {
  return `${users} other ${users === 1 ? 'connection uses' : 'connections use'} the database; stop every gateway and program on it first. Nothing was changed.`;
}

/** A restore was interrupted and cannot be brought to an end now. The installation is not to be used until it is. */
export class UnfinishedRestoreError extends BackupError {
  override name = 'UnfinishedRestoreError';
}

/** Maps the error of a failed restore that changed nothing to a refusal. The system's own error is its cause. */
export function refusalOf(error: unknown): BackupError {
  if (error instanceof BackupError) return error;
  return new BackupError(`${reasonOf(error)}; nothing was changed.`, { cause: error });
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  const trouble = storeTroubleOf(error);
  if (trouble === 'full') return 'The disk is full';
  if (trouble === 'read-only' || ['EACCES', 'EPERM', 'EROFS', '42501'].includes(code))
    return 'Faxdesk does not have permission to write there';
  if (trouble === 'failing' || code === 'EIO') return 'The disk of Faxdesk reports errors';
  if (trouble === 'damaged') return 'The database there is damaged';
  if (code === DATABASE_AWAY) return 'The database is not responding';
  if (['EBUSY', 'EXDEV', 'ENOTEMPTY'].includes(code))
    return `A part of the data folder cannot be moved (${code}): it is a mounted disk, or another program uses it`;
  return `The backup could not be restored (${code || 'unknown reason'})`;
}
