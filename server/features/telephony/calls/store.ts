import type { CallDirection, CallOutcome } from '../../../../shared/states/telephony.ts';
import { type ReadDb, type WriteTx } from '../../../db/database.ts';
import { afterCursor, cutPage } from '../../../db/keyset.ts';
import type { CallRow } from './types.ts';

export interface CallFilter {
  readonly ids?: readonly string[] | undefined;
  readonly direction?: CallDirection | undefined;
  /** E.164, of the other side. */
  readonly number?: string | undefined;
  readonly outcome?: readonly CallOutcome[] | undefined;
  /** ISO 8601 UTC. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Inserts a call. Returns false when the log has it already. */
export async function insertCall(tx: WriteTx, row: CallRow): Promise<boolean> {
  const result = await tx
    .insertInto('telephony_call')
    .values(row)
    .onConflict((conflict) => conflict.columns(['direction', 'call_key']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function findCall(
  db: ReadDb,
  { direction, call_key }: Pick<CallRow, 'direction' | 'call_key'>,
): Promise<CallRow | undefined> {
  return db
    .selectFrom('telephony_call')
    .selectAll()
    .where('direction', '=', direction)
    .where('call_key', '=', call_key)
    .executeTakeFirst();
}

/** Changes a call. Returns undefined when it changed since it was read. */
export async function changeCall(
  tx: WriteTx,
  { id, version }: CallRow,
  facts: Partial<CallRow>,
): Promise<CallRow | undefined> {
  return tx
    .updateTable('telephony_call')
    .set({ ...facts, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
}

/** Lists calls, newest first, keyset-paged on (recorded_at, id). Throws a 400 refusal on a wrong cursor. */
export async function listCalls(
  db: ReadDb,
  { ids, direction, number, outcome, since, until, limit, cursor }: CallFilter,
): Promise<{ items: CallRow[]; next_cursor: string | null }> {
  let query = db.selectFrom('telephony_call').selectAll();
  if (ids !== undefined) query = query.where('id', 'in', ids);
  if (direction !== undefined) query = query.where('direction', '=', direction);
  if (number !== undefined) query = query.where('number', '=', number);
  if (outcome !== undefined) query = query.where('outcome', 'in', outcome);
  if (since !== undefined) query = query.where('recorded_at', '>=', since);
  if (until !== undefined) query = query.where('recorded_at', '<', until);
  if (cursor !== undefined) query = query.where(afterCursor(cursor, 'recorded_at', 'id'));
  const rows = await query
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, (row) => [row.recorded_at, row.id]);
}

/** Time and id of a call. */
export type CallPlace = readonly [recordedAt: string, id: string];

/** Lists the calls that were recorded before a time, oldest first, after a place. */
export async function listCallsBefore(
  db: ReadDb,
  { before, after, limit }: { before: string; after: CallPlace | null; limit: number },
): Promise<CallRow[]> {
  let query = db.selectFrom('telephony_call').selectAll().where('recorded_at', '<', before);
  if (after !== null)
    query = query.where((eb) => eb(eb.refTuple('recorded_at', 'id'), '>', eb.tuple(after[0], after[1])));
  return query.orderBy('recorded_at').orderBy('id').limit(limit).execute();
}

/** Removes calls, a few hundred at most. */
export async function removeCalls(tx: WriteTx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('telephony_call').where('id', 'in', ids).execute();
}

/** Lists the calls that carried faxes: outgoing ones by the attempts that made them, incoming ones by their fax. */
export async function callsOf(
  db: ReadDb,
  { attemptIds, receivedIds }: { attemptIds: readonly string[]; receivedIds: readonly string[] },
): Promise<CallRow[]> {
  const calls = db.selectFrom('telephony_call').selectAll();
  const outgoing =
    attemptIds.length === 0
      ? []
      : await calls.where('direction', '=', 'outgoing').where('call_key', 'in', attemptIds).execute();
  const incoming =
    receivedIds.length === 0 ? [] : await calls.where('received_fax_id', 'in', receivedIds).execute();
  return [...outgoing, ...incoming];
}
