import type { Capabilities } from '../../../db/capabilities.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { ItemRow } from '../types.ts';

/** Lists the items of received faxes. */
export async function itemsOfFaxes(db: ReadDb, faxIds: readonly string[]): Promise<ItemRow[]> {
  if (faxIds.length === 0) return [];
  return db.selectFrom('work_item').selectAll().where('inbound_fax_id', 'in', faxIds).execute();
}

/** Lets nobody change the items of received faxes until the end of the transaction, where several processes have the database. */
export async function lockItems(
  tx: WriteTx,
  { soleProcess }: Capabilities,
  faxIds: readonly string[],
): Promise<void> {
  if (soleProcess || faxIds.length === 0) return;
  await tx
    .selectFrom('work_item')
    .select('id')
    .where('inbound_fax_id', 'in', faxIds)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Deletes the items of received faxes with their histories, a few dozen at most. */
export async function deleteItems(tx: WriteTx, faxIds: readonly string[]): Promise<void> {
  const ids = (await itemsOfFaxes(tx, faxIds)).map(({ id }) => id);
  if (ids.length === 0) return;
  for (const table of ['work_undo', 'work_history'] as const)
    await tx.deleteFrom(table).where('item_id', 'in', ids).execute();
  await tx.deleteFrom('work_item').where('id', 'in', ids).execute();
}
