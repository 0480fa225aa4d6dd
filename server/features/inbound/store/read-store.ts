import type { ReadDb, WriteTx } from '../../../db/database.ts';

/** Keeps the first time. */
export async function markRead(
  tx: WriteTx,
  mark: { principalId: string; faxId: string; at: string },
): Promise<boolean> {
  const result = await tx
    .insertInto('inbound_read')
    .values({ principal_id: mark.principalId, fax_id: mark.faxId, read_at: mark.at })
    .onConflict((conflict) => conflict.columns(['principal_id', 'fax_id']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function markUnread(
  tx: WriteTx,
  mark: { principalId: string; faxId: string },
): Promise<boolean> {
  const result = await tx
    .deleteFrom('inbound_read')
    .where('principal_id', '=', mark.principalId)
    .where('fax_id', '=', mark.faxId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** When a person first opened each of the faxes. */
export async function readTimes(
  db: ReadDb,
  principalId: string,
  faxIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (faxIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('inbound_read')
    .select(['fax_id', 'read_at'])
    .where('principal_id', '=', principalId)
    .where('fax_id', 'in', faxIds)
    .execute();
  return new Map(rows.map((row) => [row.fax_id, row.read_at]));
}
