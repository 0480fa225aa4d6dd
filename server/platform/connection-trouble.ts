import { errorCode } from './errors.ts';

/** Code of the error of a query that found every connection of this process to the database in use. */
export const CONNECTIONS_IN_USE = 'CONNECTIONS_IN_USE';

/**
 * Kinds of trouble with the connections to PostgreSQL, which answers all the same. `refused`: it, or its user or database,
 * has as many as it accepts. `in-use`: this process uses all that it may have.
 */
export type ConnectionTrouble = 'refused' | 'in-use';

const BY_CODE: Readonly<Record<string, ConnectionTrouble>> = {
  '53300': 'refused',
  [CONNECTIONS_IN_USE]: 'in-use',
};

/** Sentences for an administrator, a person who starts a gateway and one who runs a command. */
export const CONNECTION_SENTENCES: Readonly<Record<ConnectionTrouble, string>> = {
  refused:
    'The database accepts no more connections. Raise the limit of PostgreSQL, or close other programs that use it.',
  'in-use': 'All database connections of this gateway are in use.',
};

/** Returns the trouble with connections that an error shows, also below the error of a database that is away; null for any other. */
export function connectionTroubleOf(error: unknown): ConnectionTrouble | null {
  if (!(error instanceof Error)) return null;
  return BY_CODE[errorCode(error)] ?? connectionTroubleOf(error.cause);
}

/** Returns the sentence for the trouble with connections that an error shows; null for any other error. */
export function connectionSentence(error: unknown): string | null {
  const trouble = connectionTroubleOf(error);
  return trouble === null ? null : CONNECTION_SENTENCES[trouble];
}
