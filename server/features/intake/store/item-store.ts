import type { MailState } from '../../../../shared/states/intake.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { afterCursor, cutPage } from '../../../db/keyset.ts';
import { ForbiddenMailStateError, mayBecome } from '../item-state.ts';
import type { ItemRow } from '../types.ts';

export interface ItemFilter {
  readonly ids?: readonly string[] | undefined;
  readonly state?: readonly MailState[] | undefined;
  readonly fax_id?: string | undefined;
  readonly connector_id?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** False when the connector has an e-mail of the fax already. */
export async function insertItem(tx: WriteTx, row: ItemRow): Promise<boolean> {
  const result = await tx
    .insertInto('intake_item')
    .values(row)
    .onConflict((conflict) => conflict.columns(['fax_id', 'connector_id']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function findItem(db: ReadDb, id: string): Promise<ItemRow | undefined> {
  return db.selectFrom('intake_item').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Oldest first. */
export async function itemsOfFax(db: ReadDb, faxId: string): Promise<ItemRow[]> {
  return db
    .selectFrom('intake_item')
    .selectAll()
    .where('fax_id', '=', faxId)
    .orderBy('recorded_at')
    .orderBy('id')
    .execute();
}

export async function itemsInStates(db: ReadDb, states: readonly MailState[]): Promise<ItemRow[]> {
  return db.selectFrom('intake_item').selectAll().where('state', 'in', states).execute();
}

/**
 * The only statement that changes an item. Guarded by the version: null when another change came first. Throws
 * ForbiddenMailStateError for a change that the table of states does not allow.
 */
export async function changeItem(
  tx: WriteTx,
  item: Pick<ItemRow, 'id' | 'version' | 'state'>,
  changes: Partial<Omit<ItemRow, 'id' | 'version' | 'fax_id' | 'connector_id'>> & { updated_at: string },
): Promise<ItemRow | null> {
  if (changes.state !== undefined && !mayBecome(item.state, changes.state))
    throw new ForbiddenMailStateError(`${item.state} to ${changes.state}`);
  const changed = await tx
    .updateTable('intake_item')
    .set({ ...changes, version: item.version + 1 })
    .where('id', '=', item.id)
    .where('version', '=', item.version)
    .returningAll()
    .executeTakeFirst();
  return changed ?? null;
}

/** Newest first, keyset-paged on (recorded_at, id). Throws a 400 refusal on a wrong cursor. */
export async function listItems(
  db: ReadDb,
  { ids, state, fax_id, connector_id, limit, cursor }: ItemFilter,
): Promise<{ items: ItemRow[]; next_cursor: string | null }> {
  let query = db.selectFrom('intake_item').selectAll();
  if (ids !== undefined) query = query.where('id', 'in', ids);
  if (state !== undefined) query = query.where('state', 'in', state);
  if (fax_id !== undefined) query = query.where('fax_id', '=', fax_id);
  if (connector_id !== undefined) query = query.where('connector_id', '=', connector_id);
  if (cursor !== undefined) query = query.where(afterCursor(cursor, 'recorded_at', 'id'));
  const rows = await query
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, (row) => [row.recorded_at, row.id]);
}

/** Counts all items by state; states without items are left out. */
export async function countItems(db: ReadDb): Promise<{ state: MailState; items: number }[]> {
  const rows = await db
    .selectFrom('intake_item')
    .select((eb) => ['state', eb.fn.countAll<number | string>().as('items')])
    .groupBy('state')
    .execute();
  return rows.map(({ state, items }) => ({ state, items: Number(items) }));
}
