import { type SqlBool, sql } from 'kysely';
import type { SentScope } from '../types.ts';

/** Builds the condition that a fax of the table `name` (or its alias) is in the scope. */
export function isInScope(name: string, { personId, ownMailboxIds, mailboxIds }: SentScope) {
  const column = (of: string) => sql.ref(`${name}.${of}`);
  const isIn = (ids: readonly string[]) =>
    ids.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${column('mailbox_id')} in (${sql.join(ids)})`;
  const byThem = sql<SqlBool>`${column('created_by')} = ${personId}`;
  const own = ownMailboxIds === null ? byThem : sql<SqlBool>`(${byThem} and ${isIn(ownMailboxIds)})`;
  return sql<SqlBool>`(${own} or ${isIn(mailboxIds)})`;
}
