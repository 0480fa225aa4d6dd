import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareInsert } from '../../../db/prepared-query.ts';
import type { HistoryRow, ItemRow } from '../types.ts';

const insertEntry = prepareInsert((tx) => tx.insertInto('work_history'));

export async function insertEntries(tx: WriteTx, rows: readonly HistoryRow[]): Promise<void> {
  const [row] = rows;
  if (row !== undefined && rows.length === 1) await insertEntry(tx, row);
  else await tx.insertInto('work_history').values(rows).execute();
}

/** Oldest first. */
export async function listHistory(db: ReadDb, itemId: string): Promise<HistoryRow[]> {
  return db
    .selectFrom('work_history')
    .selectAll()
    .where('item_id', '=', itemId)
    .orderBy('position')
    .execute();
}

/**
 * Lists the items with an entry after `entryId` from any gateway: ids follow the time, so this reads an index's end.
 */
export async function changedSince(
  db: ReadDb,
  entryId: string,
  limit: number,
): Promise<Pick<ItemRow, 'id' | 'version' | 'inbound_fax_id' | 'mailbox_id'>[]> {
  const changed = db.selectFrom('work_history').select('item_id').where('id', '>', entryId);
  return db
    .selectFrom('work_item')
    .select(['id', 'version', 'inbound_fax_id', 'mailbox_id'])
    .where('id', 'in', changed)
    .limit(limit)
    .execute();
}

/** Returns the ids of at most `limit` items with an entry after `entryId`. Reads only the end of the primary key. */
export async function changedIds(db: ReadDb, entryId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('work_history')
    .select('item_id')
    .distinct()
    .where('id', '>', entryId)
    .limit(limit)
    .execute();
  return rows.map(({ item_id }) => item_id);
}

/** Items by id, after one. */
export async function itemsAfter(db: ReadDb, args: { after: string; limit: number }): Promise<ItemRow[]> {
  return db
    .selectFrom('work_item')
    .selectAll()
    .where('id', '>', args.after)
    .orderBy('id')
    .limit(args.limit)
    .execute();
}

/** The histories of some items, each oldest first. */
export async function historiesOf(
  db: ReadDb,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, HistoryRow[]>> {
  if (itemIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('work_history')
    .selectAll()
    .where('item_id', 'in', itemIds)
    .orderBy('item_id')
    .orderBy('position')
    .execute();
  return Map.groupBy(rows, (row) => row.item_id);
}

/** Items that have a history and no row. */
export async function itemsOfNoRow(db: ReadDb, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('work_history as h')
    .leftJoin('work_item as i', 'i.id', 'h.item_id')
    .select('h.item_id')
    .distinct()
    .where('i.id', 'is', null)
    .limit(limit)
    .execute();
  return rows.map(({ item_id }) => item_id);
}
