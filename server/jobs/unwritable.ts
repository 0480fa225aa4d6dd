import { errorCode } from '../platform/errors.ts';
import { storeTroubleOf } from '../platform/store-trouble.ts';

/** What files say that cannot be written at present, and a database that is away or busy. */
const UNWRITABLE = ['EROFS', 'EIO', 'EACCES', 'EPERM', 'DATABASE_AWAY', 'SQLITE_BUSY'];

/** Whether a job could not be done because nothing can be written at present: that is no bug of the job. */
export function isUnwritable(error: unknown): boolean {
  const trouble = storeTroubleOf(error);
  if (trouble !== null) return trouble !== 'damaged';
  return UNWRITABLE.includes(errorCode(error));
}
