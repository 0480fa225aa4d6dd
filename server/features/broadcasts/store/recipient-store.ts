import type { RecipientState } from '../../../../shared/states/broadcasts.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { RecipientRow } from '../types.ts';

/** Rows of one statement: a row has eleven values. */
const BATCH = 200;

export async function insertRecipients(tx: WriteTx, rows: readonly RecipientRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH)
    await tx
      .insertInto('broadcast_recipient')
      .values(rows.slice(at, at + BATCH))
      .execute();
}

/** Counts the recipients of the broadcasts by state. */
export async function countRecipients(
  db: ReadDb,
  ids: readonly string[],
): Promise<{ broadcast_id: string; state: RecipientState; count: number }[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('broadcast_recipient')
    .select((eb) => ['broadcast_id', 'state', eb.fn.countAll<number | string>().as('count')])
    .where('broadcast_id', 'in', ids)
    .groupBy(['broadcast_id', 'state'])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** Lists recipients in the order of the list. */
export async function listRecipients(
  db: ReadDb,
  filter: {
    broadcastId: string;
    states?: readonly RecipientState[] | undefined;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<{ items: RecipientRow[]; next_cursor: string | null }> {
  const { broadcastId, states, limit, cursor } = filter;
  let query = db
    .selectFrom('broadcast_recipient')
    .selectAll()
    .where('broadcast_id', '=', broadcastId)
    .orderBy('position')
    .limit(limit + 1);
  if (states !== undefined && states.length > 0) query = query.where('state', 'in', states);
  if (cursor !== undefined) query = query.where('position', '>', Number(decodeCursor(cursor, 1)[0]) || 0);
  return cutPage(await query.execute(), limit, (row) => [String(row.position)]);
}

/** Lists the next recipients without a fax. */
export async function listWaiting(db: ReadDb, broadcastId: string, limit: number): Promise<RecipientRow[]> {
  return db
    .selectFrom('broadcast_recipient')
    .selectAll()
    .where('broadcast_id', '=', broadcastId)
    .where('state', '=', 'waiting')
    .orderBy('position')
    .limit(limit)
    .execute();
}

/** Lists the next recipients whose failed fax is to be sent again. */
export async function listAgain(db: ReadDb, broadcastId: string, limit: number): Promise<RecipientRow[]> {
  return db
    .selectFrom('broadcast_recipient')
    .selectAll()
    .where('broadcast_id', '=', broadcastId)
    .where('state', '=', 'failed')
    .where('again', '=', 1)
    .orderBy('position')
    .limit(limit)
    .execute();
}

/** Lists the IDs of faxes in these states. */
export async function listFaxes(
  db: ReadDb,
  broadcastId: string,
  states: readonly RecipientState[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('broadcast_recipient')
    .select('fax_id')
    .where('broadcast_id', '=', broadcastId)
    .where('state', 'in', states)
    .where('fax_id', 'is not', null)
    .orderBy('position')
    .execute();
  return rows.flatMap(({ fax_id }) => fax_id ?? []);
}

/**
 * Gives a waiting recipient of an active broadcast its fax. False when it has one already, or the broadcast was stopped:
 * then none may be recorded.
 */
export async function claimRecipient(
  tx: WriteTx,
  { broadcast_id, position }: RecipientRow,
  { faxId, at }: { faxId: string; at: string },
): Promise<boolean> {
  const claimed = await tx
    .updateTable('broadcast_recipient')
    .set({ state: 'queued', fax_id: faxId, updated_at: at })
    .where('broadcast_id', '=', broadcast_id)
    .where('position', '=', position)
    .where('state', '=', 'waiting')
    .where((eb) =>
      eb.exists(
        eb.selectFrom('broadcast').select('id').where('id', '=', broadcast_id).where('state', '=', 'active'),
      ),
    )
    .executeTakeFirst();
  return Number(claimed.numUpdatedRows) === 1;
}

/** Ends a waiting recipient without a fax. */
export async function endRecipient(
  tx: WriteTx,
  { broadcast_id, position }: RecipientRow,
  { state, reason, at }: { state: 'refused' | 'cancelled'; reason: string; at: string },
): Promise<void> {
  await tx
    .updateTable('broadcast_recipient')
    .set({ state, reason, updated_at: at })
    .where('broadcast_id', '=', broadcast_id)
    .where('position', '=', position)
    .where('state', '=', 'waiting')
    .execute();
}

/** Ends every waiting recipient, and gives up every further try. Returns the count of the former. */
export async function cancelWaiting(
  tx: WriteTx,
  broadcastId: string,
  { reason, at }: { reason: string; at: string },
): Promise<number> {
  const ended = await tx
    .updateTable('broadcast_recipient')
    .set({ state: 'cancelled', reason, updated_at: at })
    .where('broadcast_id', '=', broadcastId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  await tx
    .updateTable('broadcast_recipient')
    .set({ again: 0 })
    .where('broadcast_id', '=', broadcastId)
    .where('again', '=', 1)
    .execute();
  return Number(ended.numUpdatedRows);
}

/** Marks every failed recipient to be sent to again. Returns their count. */
export async function markFailed(tx: WriteTx, broadcastId: string): Promise<number> {
  const marked = await tx
    .updateTable('broadcast_recipient')
    .set({ again: 1 })
    .where('broadcast_id', '=', broadcastId)
    .where('state', '=', 'failed')
    .executeTakeFirst();
  return Number(marked.numUpdatedRows);
}

/** Gives up a further try, with the reason. */
export async function giveUp(
  tx: WriteTx,
  { broadcast_id, position }: RecipientRow,
  reason: string | null,
): Promise<void> {
  await tx
    .updateTable('broadcast_recipient')
    .set({ again: 0, ...(reason === null ? {} : { reason }) })
    .where('broadcast_id', '=', broadcast_id)
    .where('position', '=', position)
    .execute();
}

/** Records the state of a fax at its recipient. False when no recipient has it. */
export async function recordState(
  tx: WriteTx,
  faxId: string,
  { state, reason, at }: { state: RecipientState; reason: string | null; at: string },
): Promise<boolean> {
  const changed = await tx
    .updateTable('broadcast_recipient')
    .set({ state, reason, updated_at: at })
    .where('fax_id', '=', faxId)
    .executeTakeFirst();
  return Number(changed.numUpdatedRows) === 1;
}

/** Puts a newer fax in the place of an earlier one. Returns the ID of the broadcast; null when no recipient had it. */
export async function replaceFax(
  tx: WriteTx,
  { earlier, id, at }: { earlier: string; id: string; at: string },
): Promise<string | null> {
  const row = await tx
    .updateTable('broadcast_recipient')
    .set({ fax_id: id, state: 'queued', reason: null, again: 0, updated_at: at })
    .where('fax_id', '=', earlier)
    .returning('broadcast_id')
    .executeTakeFirst();
  return row?.broadcast_id ?? null;
}

/** Lists recipients whose fax can still change, of all broadcasts. */
export async function listOpen(
  db: ReadDb,
  states: readonly RecipientState[],
): Promise<(Pick<RecipientRow, 'state'> & { fax_id: string })[]> {
  const rows = await db
    .selectFrom('broadcast_recipient')
    .select(['fax_id', 'state'])
    .where('state', 'in', states)
    .execute();
  return rows.flatMap(({ fax_id, state }) => (fax_id === null ? [] : { fax_id, state }));
}
