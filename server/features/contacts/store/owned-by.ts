import { type SqlBool, sql } from 'kysely';

/** Returns the condition that a contact belongs to everybody, or to one of the mailboxes. */
export function ownedBy(mailboxIds: readonly string[], column: string) {
  const owner = sql.ref(column);
  if (mailboxIds.length === 0) return sql<SqlBool>`${owner} is null`;
  return sql<SqlBool>`(${owner} is null or ${owner} in (${sql.join(mailboxIds)}))`;
}
