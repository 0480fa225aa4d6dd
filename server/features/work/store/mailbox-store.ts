import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { MailboxRow } from '../types.ts';

/** Null while what holds for the installation holds for the mailbox. */
export async function findMailboxRow(db: ReadDb, mailboxId: string): Promise<MailboxRow | null> {
  const query = db.selectFrom('work_mailbox').selectAll().where('mailbox_id', '=', mailboxId);
  return (await query.executeTakeFirst()) ?? null;
}

/** Returns the rows by mailbox; all of them when `ids` is left out. */
export async function mailboxRows(
  db: ReadDb,
  ids?: readonly string[],
): Promise<ReadonlyMap<string, MailboxRow>> {
  if (ids?.length === 0) return new Map();
  let query = db.selectFrom('work_mailbox').selectAll();
  if (ids) query = query.where('mailbox_id', 'in', ids);
  return new Map((await query.execute()).map((row) => [row.mailbox_id, row]));
}

/** False when it changed since the version before. */
export async function putMailboxRow(tx: WriteTx, row: MailboxRow): Promise<boolean> {
  const { mailbox_id, ...values } = row;
  if (row.version === 2) {
    const inserted = await tx
      .insertInto('work_mailbox')
      .values(row)
      .onConflict((conflict) => conflict.column('mailbox_id').doNothing())
      .executeTakeFirst();
    return Number(inserted.numInsertedOrUpdatedRows ?? 0) === 1;
  }
  const updated = await tx
    .updateTable('work_mailbox')
    .set(values)
    .where('mailbox_id', '=', mailbox_id)
    .where('version', '=', row.version - 1)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}
