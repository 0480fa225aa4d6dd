import { errorCode } from './errors.ts';

/** Sentences by PostgreSQL error code, for a person who starts a gateway or runs a command. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'PostgreSQL refuses the password in DATABASE_URL. Correct it there.',
  '28000':
    'PostgreSQL does not let the user in DATABASE_URL sign in. Check that this user exists and can sign in, and that pg_hba.conf allows it from this computer.',
  '3D000':
    'PostgreSQL has no database of the name in DATABASE_URL. Create it there, or correct the name in DATABASE_URL.',
  '42501':
    'The user in DATABASE_URL does not have the permissions that Faxdesk needs. Make it the owner of the database, or let it create tables there.',
};
/** Of the driver, without a code: the server asks for a password, and there is none. */
const NO_PASSWORD = /client password must be a (?:non-empty )?string/u;

/**
 * Returns a sentence that explains why PostgreSQL refuses the user of DATABASE_URL, or an action of that user; null for
 * any other error. Also looks below the error of a database that is away.
 */
export function databaseRefusal(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (NO_PASSWORD.test(error.message))
    return 'PostgreSQL asks for a password, and DATABASE_URL has none. Put it there.';
  return REFUSALS[errorCode(error)] ?? databaseRefusal(error.cause);
}
