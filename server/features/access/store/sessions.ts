import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { SessionTable } from '../../../db/schema/access.ts';
import type { PageRequest } from '../types.ts';
import { forgetBrowsersOf } from './known-browsers.ts';

export type StoredSession = SessionTable;

export async function findSession(db: ReadDb, id: string): Promise<StoredSession | null> {
  return (await db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function findSessionByToken(db: ReadDb, tokenHash: string): Promise<StoredSession | null> {
  const query = db.selectFrom('session').selectAll().where('token_hash', '=', tokenHash);
  return (await query.executeTakeFirst()) ?? null;
}

interface SessionPage {
  /** Null for all principals. */
  principalId: string | null;
  /** Only sessions that began with this key. */
  sourceKeyId: string | null;
  /** Only sessions that are open: not ended, not expired `now`, begun and used after these times. */
  open?: { now: string; begunAfter: string; usedAfter: string } | null;
  after: { createdAt: string; id: string } | null;
  limit: number;
}

/** Newest first; one row more than `limit`, so that the caller sees whether there is a next page. */
export async function listSessions(db: ReadDb, page: SessionPage): Promise<StoredSession[]> {
  const { principalId, after, sourceKeyId, open } = page;
  let query = db.selectFrom('session').selectAll();
  if (principalId !== null) query = query.where('principal_id', '=', principalId);
  if (sourceKeyId !== null) query = query.where('source_key_id', '=', sourceKeyId);
  if (open)
    query = query
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', open.now)
      .where('created_at', '>', open.begunAfter)
      .where('last_used_at', '>', open.usedAfter);
  if (after)
    query = query.where((eb) =>
      eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)),
    );
  return await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
}

/** The same in pages. Throws a 400 refusal on a wrong cursor. */
export async function pageSessions(
  db: ReadDb,
  { cursor, ...page }: Omit<SessionPage, 'after'> & PageRequest,
): Promise<{ items: StoredSession[]; next_cursor: string | null }> {
  const [createdAt = '', id = ''] = cursor === undefined ? [] : decodeCursor(cursor, 2);
  const rows = await listSessions(db, { ...page, after: cursor === undefined ? null : { createdAt, id } });
  return cutPage(rows, page.limit, (row) => [row.created_at, row.id]);
}

export async function insertSession(tx: WriteTx, row: SessionTable): Promise<void> {
  await tx.insertInto('session').values(row).execute();
}

/** Forgets sessions of a principal that ended before `before`. */
export async function deleteOldSessions(tx: WriteTx, principalId: string, before: string): Promise<void> {
  await tx
    .deleteFrom('session')
    .where('principal_id', '=', principalId)
    .where('expires_at', '<', before)
    .execute();
}

/** Ends one session. False when it had ended before. */
export async function setSessionRevoked(tx: WriteTx, id: string, now: string): Promise<boolean> {
  const result = await tx
    .updateTable('session')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Ends the sessions of a person but one, and forgets the browsers in which they signed in before. */
export async function revokeOtherSessions(
  tx: WriteTx,
  which: { principalId: string; keep: string; now: string },
): Promise<void> {
  await tx
    .updateTable('session')
    .set({ revoked_at: which.now })
    .where('principal_id', '=', which.principalId)
    .where('id', '!=', which.keep)
    .where('revoked_at', 'is', null)
    .execute();
  await forgetBrowsersOf(tx, which.principalId);
}

export async function revokeSessionsOfKey(tx: WriteTx, keyId: string, now: string): Promise<void> {
  await tx
    .updateTable('session')
    .set({ revoked_at: now })
    .where('source_key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Sessions that began with a key never outlive it. */
export async function shortenSessionsOfKey(tx: WriteTx, keyId: string, end: string): Promise<void> {
  await tx
    .updateTable('session')
    .set({ expires_at: end })
    .where('source_key_id', '=', keyId)
    .where('expires_at', '>', end)
    .execute();
}

/** Ends the sessions of the installation key. True when there was one. */
export async function revokeBootstrapSessions(
  tx: WriteTx,
  principalId: string,
  now: string,
): Promise<boolean> {
  const result = await tx
    .updateTable('session')
    .set({ revoked_at: now })
    .where('principal_id', '=', principalId)
    .where('source_kind', '=', 'bootstrap')
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function setSessionUsed(tx: WriteTx, id: string, now: string): Promise<void> {
  await tx
    .updateTable('session')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where('last_used_at', '<', now)
    .execute();
}
