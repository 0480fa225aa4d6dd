import type { Capabilities } from '../../db/capabilities.ts';
import type { Database, ReadDb, WriteTx } from '../../db/database.ts';
import { allTables } from '../../db/table-order.ts';
import type { MoveRecord } from './types.ts';

/** Returns the mark of a store; null when it has none, or is empty or of a time before there were marks. */
export async function findMove({ unrestricted, capabilities }: Database): Promise<MoveRecord | null> {
  const tables = await allTables(unrestricted as never, capabilities);
  return tables.includes('store_move') ? readMove(unrestricted) : null;
}

/** As {@link findMove}, within a transaction. */
export async function findMoveIn(tx: WriteTx, capabilities: Capabilities): Promise<MoveRecord | null> {
  return (await allTables(tx as never, capabilities)).includes('store_move') ? readMove(tx) : null;
}

async function readMove(db: ReadDb): Promise<MoveRecord | null> {
  const row = await db.selectFrom('store_move').selectAll().executeTakeFirst();
  if (!row) return null;
  const { key: _, ...record } = row;
  return record;
}

/** Puts a mark in the place of an older one. */
export async function writeMove(tx: WriteTx, record: MoveRecord): Promise<void> {
  await removeMove(tx);
  await tx
    .insertInto('store_move')
    .values({ key: 'move', ...record })
    .execute();
}

/** Records how far the filling of a store has come, in the transaction that adds the rows. */
export async function noteProgress(tx: WriteTx, progress: string): Promise<void> {
  await tx.updateTable('store_move').set({ progress }).execute();
}

export async function removeMove(tx: WriteTx): Promise<void> {
  await tx.deleteFrom('store_move').execute();
}
