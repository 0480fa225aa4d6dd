import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { SenderRow } from '../types.ts';

/** Lists the senders by address. */
export async function listSenders(db: ReadDb): Promise<SenderRow[]> {
  return db.selectFrom('mail_sender').selectAll().orderBy('address').execute();
}

/** `address` in lower case. */
export async function senderOf(db: ReadDb, address: string): Promise<SenderRow | undefined> {
  return db.selectFrom('mail_sender').selectAll().where('address', '=', address).executeTakeFirst();
}

export async function findSender(db: ReadDb, id: string): Promise<SenderRow | undefined> {
  return db.selectFrom('mail_sender').selectAll().where('id', '=', id).executeTakeFirst();
}

/** False when the address is there already. */
export async function insertSender(tx: WriteTx, row: SenderRow): Promise<boolean> {
  const result = await tx
    .insertInto('mail_sender')
    .values(row)
    .onConflict((conflict) => conflict.column('address').doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function deleteSender(tx: WriteTx, id: string): Promise<void> {
  await tx.deleteFrom('mail_sender').where('id', '=', id).execute();
}
