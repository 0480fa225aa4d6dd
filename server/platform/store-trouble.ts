import { errorCode } from './errors.ts';

/**
 * Kinds of trouble with a database, of either type. A database that does not answer is detected separately, at the
 * query.
 */
export type StoreTrouble = 'damaged' | 'read-only' | 'full' | 'failing';

/** Code of the error that refuses writes to a database that was found damaged. */
export const DATABASE_DAMAGED = 'DATABASE_DAMAGED';

/** PostgreSQL: an index or a page is corrupted. */
const DAMAGED = /^(?:DATABASE_DAMAGED|SQLITE_CORRUPT(?:_\w+)?|SQLITE_NOTADB|XX001|XX002)$/u;
/** PostgreSQL: a server that only reads. */
const READ_ONLY = /^(?:SQLITE_READONLY(?:_\w+)?|SQLITE_CANTOPEN(?:_\w+)?|SQLITE_PERM|25006)$/u;
const FULL = /^(?:SQLITE_FULL|ENOSPC|EDQUOT|53100)$/u;
/** PostgreSQL: its own system refused to read or write. */
const FAILING = /^(?:SQLITE_IOERR(?:_\w+)?|58030)$/u;

/** Returns the trouble with the database or its disk that an error shows; null when it shows none. */
export function storeTroubleOf(error: unknown): StoreTrouble | null {
  const code = errorCode(error);
  if (DAMAGED.test(code)) return 'damaged';
  if (READ_ONLY.test(code)) return 'read-only';
  if (FULL.test(code)) return 'full';
  return FAILING.test(code) ? 'failing' : null;
}

/** Sentences for a person who starts a gateway or runs a command; requests have sentences of their own. */
export const STORE_SENTENCES: Readonly<Record<StoreTrouble, string>> = {
  damaged:
    'The database is damaged, and nothing was written to it. Restore a backup with "faxdesk restore <backup> --replace", which moves the current data aside.',
  'read-only':
    'Faxdesk cannot write to its database. Check the permissions of the data folder, then try again.',
  full: 'The disk is full. Nothing was lost. Free up space and try again.',
  failing: 'The disk of Faxdesk reports errors. Check it, then try again.',
};

/** Readiness problem of a damaged database: nothing is sent and accepted. */
export const DAMAGED_PROBLEM =
  'The database is damaged, so Faxdesk writes nothing to it and sends nothing. Restore a backup: see System > Backups.';
