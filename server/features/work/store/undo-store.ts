import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { UndoRow } from '../types.ts';

/** Stores the undo of an act, in place of an earlier one on the item. */
export async function putUndo(tx: WriteTx, row: UndoRow): Promise<void> {
  const { item_id: _, ...values } = row;
  await tx
    .insertInto('work_undo')
    .values(row)
    .onConflict((conflict) => conflict.column('item_id').doUpdateSet(values))
    .execute();
}

export async function findUndo(db: ReadDb, itemId: string): Promise<UndoRow | undefined> {
  return db.selectFrom('work_undo').selectAll().where('item_id', '=', itemId).executeTakeFirst();
}

export async function deleteUndo(tx: WriteTx, itemId: string): Promise<void> {
  await tx.deleteFrom('work_undo').where('item_id', '=', itemId).execute();
}

/** Deletes the entries that can no longer be undone. `time` is ISO 8601 UTC. */
export async function deleteUndoBefore(tx: WriteTx, time: string): Promise<void> {
  await tx.deleteFrom('work_undo').where('at', '<', time).execute();
}
