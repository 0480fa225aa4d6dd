import { type Expression, type SqlBool, sql } from 'kysely';
import { containsAny } from '../../../db/contains.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { afterCursor, cutPage } from '../../../db/keyset.ts';
import { newId } from '../../../platform/ids.ts';
import type { BroadcastRow, BroadcastScope, ChangedBroadcast, EventRow } from '../types.ts';

export async function insertBroadcast(tx: WriteTx, row: BroadcastRow): Promise<void> {
  await tx.insertInto('broadcast').values(row).execute();
}

export async function findBroadcast(db: ReadDb, id: string): Promise<BroadcastRow | undefined> {
  return db.selectFrom('broadcast').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Finds the newest broadcast that a request with this key made. */
export async function findByRequest(db: ReadDb, key: string): Promise<BroadcastRow | undefined> {
  return db
    .selectFrom('broadcast')
    .selectAll()
    .where('request_key', '=', key)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Changes a broadcast, guarded by its version: null when another change came first. */
export async function changeBroadcast(
  tx: WriteTx,
  { id, version }: Pick<BroadcastRow, 'id' | 'version'>,
  changes: Partial<
    Pick<BroadcastRow, 'state' | 'paused_reason' | 'artifact' | 'cancelled_by_name' | 'updated_at'>
  >,
): Promise<BroadcastRow | null> {
  const row = await tx
    .updateTable('broadcast')
    .set((eb) => ({ ...changes, version: version + 1, ...nextChange(eb.ref('changes')) }))
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

const nextChange = (changes: Expression<number>) => ({
  changes: sql<number>`${changes} + 1`,
  change_id: newId(),
});

const CHANGED = ['id', 'changes', 'mailbox_id', 'created_by', 'test'] as const;

/** Records that something changed about a recipient. */
export async function touchBroadcast(tx: WriteTx, id: string, at: string): Promise<ChangedBroadcast> {
  return tx
    .updateTable('broadcast')
    .set((eb) => ({ updated_at: at, ...nextChange(eb.ref('changes')) }))
    .where('id', '=', id)
    .returning(CHANGED)
    .executeTakeFirstOrThrow();
}

/** Lists the broadcasts that any gateway changed after `changeId`: IDs follow the time, so this reads an index's end. */
export async function changedSince(db: ReadDb, changeId: string, limit: number): Promise<ChangedBroadcast[]> {
  return db
    .selectFrom('broadcast')
    .select(CHANGED)
    .where('change_id', '>', changeId)
    .orderBy('change_id')
    .limit(limit)
    .execute();
}

interface BroadcastFilter {
  readonly scope: BroadcastScope | null;
  /** Test broadcasts only, with the others, or none. */
  readonly test: 'only' | 'with' | 'without';
  readonly ids?: readonly string[] | undefined;
  /** Search texts in lower case, one of which must match. */
  readonly texts?: readonly string[] | undefined;
  /** Only those that begin after this time, ISO 8601 UTC. */
  readonly beginAfter?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists the newest first, keyset-paged on (created_at, id). */
export async function listBroadcasts(
  db: ReadDb,
  { scope, test, ids, texts = [], beginAfter, limit, cursor }: BroadcastFilter,
): Promise<{ items: BroadcastRow[]; next_cursor: string | null }> {
  let query = db
    .selectFrom('broadcast')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (scope !== null) query = query.where(isInScope(scope));
  if (test !== 'with') query = query.where('test', '=', test === 'only' ? 1 : 0);
  if (ids !== undefined) query = query.where('id', 'in', ids);
  if (texts.length > 0) query = query.where(containsAny(texts));
  if (beginAfter !== undefined) query = query.where('state', '=', 'active').where('send_at', '>', beginAfter);
  if (cursor !== undefined) query = query.where(afterCursor(cursor, 'created_at', 'id'));
  return cutPage(await query.execute(), limit, (row) => [row.created_at, row.id]);
}

function isInScope({ personId, ownMailboxIds, mailboxIds }: BroadcastScope) {
  const isIn = (ids: readonly string[]) =>
    ids.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`mailbox_id in (${sql.join(ids)})`;
  const byThem = sql<SqlBool>`created_by = ${personId}`;
  const own = ownMailboxIds === null ? byThem : sql<SqlBool>`(${byThem} and ${isIn(ownMailboxIds)})`;
  return sql<SqlBool>`(${own} or ${isIn(mailboxIds)})`;
}

/** Adds an entry at the end of the history. */
export async function addEvent(tx: WriteTx, event: Omit<EventRow, 'position'>): Promise<void> {
  const { last } = await tx
    .selectFrom('broadcast_event')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('broadcast_id', '=', event.broadcast_id)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('broadcast_event')
    .values({ ...event, position: (last ?? 0) + 1 })
    .execute();
}

export async function listEvents(db: ReadDb, broadcastId: string): Promise<EventRow[]> {
  return db
    .selectFrom('broadcast_event')
    .selectAll()
    .where('broadcast_id', '=', broadcastId)
    .orderBy('position')
    .execute();
}

/** Returns those of the names that belong to a broadcast. */
export async function keptArtifacts(db: ReadDb, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db.selectFrom('broadcast').select('artifact').where('artifact', 'in', names).execute();
  return new Set(rows.flatMap(({ artifact }) => artifact ?? []));
}

export async function hasArtifact(db: ReadDb): Promise<boolean> {
  const row = await db
    .selectFrom('broadcast')
    .select('id')
    .where('artifact', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Pauses every broadcast that still has work, with a reason. Returns their IDs. */
export async function pauseAll(tx: WriteTx, reason: string, at: string): Promise<string[]> {
  const rows = await tx
    .updateTable('broadcast')
    .set((eb) => ({
      state: 'paused',
      paused_reason: reason,
      updated_at: at,
      version: eb('version', '+', 1),
      ...nextChange(eb.ref('changes')),
    }))
    .where('state', '=', 'active')
    .where('artifact', 'is not', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
