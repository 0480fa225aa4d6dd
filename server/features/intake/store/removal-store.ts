import type { ReadDb, WriteTx } from '../../../db/database.ts';

/** Returns those of the faxes with an e-mail that was not delivered. */
export async function undeliveredAmong(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (faxIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('intake_item')
    .select('fax_id')
    .where('fax_id', 'in', faxIds)
    .where('state', '!=', 'delivered')
    .execute();
  return new Set(rows.map(({ fax_id }) => fax_id));
}

/** Deletes the e-mails of faxes, those of a few dozen at most. */
export async function deleteItems(tx: WriteTx, faxIds: readonly string[]): Promise<void> {
  if (faxIds.length === 0) return;
  const rows = await tx.selectFrom('intake_item').select('id').where('fax_id', 'in', faxIds).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.deleteFrom('intake_recipient').where('item_id', 'in', ids).execute();
  await tx.deleteFrom('intake_item').where('id', 'in', ids).execute();
}
