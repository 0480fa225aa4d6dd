import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { PairingCodeTable } from '../../db/schema/pairing.ts';

/** Keeps a code in place of the maker's earlier one; codes that ended by `now` go. Fails when the code is in use. */
export async function saveCode(tx: WriteTx, row: PairingCodeTable, now: string): Promise<void> {
  await tx.deleteFrom('pairing_code').where('expires_at', '<=', now).execute();
  const { principal_id: _, ...rest } = row;
  await tx
    .insertInto('pairing_code')
    .values(row)
    .onConflict((conflict) => conflict.column('principal_id').doUpdateSet(rest))
    .execute();
}

export async function findCode(
  db: ReadDb,
  codeHash: string,
  now: string,
): Promise<PairingCodeTable | undefined> {
  return await db
    .selectFrom('pairing_code')
    .selectAll()
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Uses a code up. False when it was used before. */
export async function takeCode(tx: WriteTx, codeHash: string): Promise<boolean> {
  const result = await tx.deleteFrom('pairing_code').where('code_hash', '=', codeHash).executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function deleteCodesOf(tx: WriteTx, principalId: string): Promise<void> {
  await tx.deleteFrom('pairing_code').where('principal_id', '=', principalId).execute();
}
