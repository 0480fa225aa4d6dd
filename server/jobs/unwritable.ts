import { errorCode } from '../platform/errors.ts';
import { storeTroubleOf } from '../platform/store-trouble.ts';

/** Codes of files that cannot be written at present, and of a database that is away or busy. */
const UNWRITABLE = ['EROFS', 'EIO', 'EACCES', 'EPERM', 'DATABASE_AWAY', 'SQLITE_BUSY'];

/** Returns true when a job failed because nothing can be written at present, which is no bug of the job. */
export function isUnwritable(error: unknown): boolean {
  const trouble = storeTroubleOf(error);
  if (trouble !== null) return trouble !== 'damaged';
  return UNWRITABLE.includes(errorCode(error));
}
