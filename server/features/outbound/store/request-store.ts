import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { FaxRequestTable } from '../../../db/schema/outbound.ts';

export async function findRequest(
  db: ReadDb,
  args: { callerId: string; key: string },
): Promise<FaxRequestTable | undefined> {
  return db
    .selectFrom('fax_request')
    .selectAll()
    .where('caller_id', '=', args.callerId)
    .where('idempotency_key', '=', args.key)
    .executeTakeFirst();
}

/** Throws a unique violation when the key is taken: then the other request won. */
export async function insertRequest(tx: WriteTx, row: FaxRequestTable): Promise<void> {
  await tx.insertInto('fax_request').values(row).execute();
}
