import type { ReadDb, WriteTx } from '../../../db/database.ts';

/** Id in place of a principal: read by anyone. No principal has this id. */
export const ANYBODY = 'anybody';

interface ReadMark {
  readonly principalId: string;
  /** Display name of the reader at that time. */
  readonly name: string;
  readonly faxId: string;
  readonly at: string;
}

/** Keeps the first time. */
export async function markRead(tx: WriteTx, mark: ReadMark): Promise<boolean> {
  const row = {
    principal_id: mark.principalId,
    reader_name: mark.name,
    fax_id: mark.faxId,
    read_at: mark.at,
  };
  const result = await tx
    .insertInto('inbound_read')
    .values(row)
    .onConflict((conflict) => conflict.columns(['principal_id', 'fax_id']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function markUnread(
  tx: WriteTx,
  mark: Pick<ReadMark, 'principalId' | 'faxId'>,
): Promise<boolean> {
  const result = await tx
    .deleteFrom('inbound_read')
    .where('principal_id', '=', mark.principalId)
    .where('fax_id', '=', mark.faxId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Returns the time at which a person, or `ANYBODY`, first opened each of the faxes. */
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

/** Lists the people who have read it, the first one first. */
export async function listReaders(
  db: ReadDb,
  faxId: string,
): Promise<{ id: string; name: string; read_at: string }[]> {
  return db
    .selectFrom('inbound_read')
    .select(['principal_id as id', 'reader_name as name', 'read_at'])
    .where('fax_id', '=', faxId)
    .where('principal_id', '!=', ANYBODY)
    .orderBy('read_at')
    .orderBy('principal_id')
    .execute();
}
