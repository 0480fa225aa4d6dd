import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { ItemRow } from '../types.ts';

/** Lists the items of received faxes. */
export async function itemsOfFaxes(db: ReadDb, faxIds: readonly string[]): Promise<ItemRow[]> {
  if (faxIds.length === 0) return [];
  return db.selectFrom('work_item').selectAll().where('inbound_fax_id', 'in', faxIds).execute();
}

/** Deletes the items of received faxes with their histories, a few dozen at most. */
export async function deleteItems(tx: WriteTx, faxIds: readonly string[]): Promise<void> {
  const ids = (await itemsOfFaxes(tx, faxIds)).map(({ id }) => id);
  if (ids.length === 0) return;
  for (const table of ['work_undo', 'work_history'] as const)
    await tx.deleteFrom(table).where('item_id', 'in', ids).execute();
  await tx.deleteFrom('work_item').where('id', 'in', ids).execute();
}
