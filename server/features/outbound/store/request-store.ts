import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { FaxRequestTable } from '../../../db/schema/outbound.ts';
import type { Seal } from '../../../platform/seal.ts';

const contextOf = ({ job_id }: Pick<FaxRequestTable, 'job_id'>): string =>
  `number of the request for ${job_id}`;

/** The request with this key, and the number as it was written. */
export async function findRequest(
  db: ReadDb,
  seal: Seal,
  args: { callerId: string; key: string },
): Promise<FaxRequestTable | undefined> {
  const row = await db
    .selectFrom('fax_request')
    .selectAll()
    .where('caller_id', '=', args.callerId)
    .where('idempotency_key', '=', args.key)
    .executeTakeFirst();
  return row && { ...row, to_text: seal.open(row.to_text, contextOf(row)) };
}

/** Throws a unique violation when the key is taken: then the other request won. */
export async function insertRequest(tx: WriteTx, seal: Seal, row: FaxRequestTable): Promise<void> {
  const to_text = seal.seal(row.to_text, contextOf(row));
  await tx
    .insertInto('fax_request')
    .values({ ...row, to_text })
    .execute();
}
