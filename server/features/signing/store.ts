import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { SigningKeyTable } from '../../db/schema/signing.ts';

/** The newest first. */
export async function listKeys(db: ReadDb): Promise<SigningKeyTable[]> {
  return db.selectFrom('signing_key').selectAll().orderBy('number', 'desc').execute();
}

/** Does nothing when another gateway made the key of that number first. */
export async function insertKey(tx: WriteTx, row: SigningKeyTable): Promise<void> {
  await tx
    .insertInto('signing_key')
    .values(row)
    .onConflict((conflict) => conflict.column('number').doNothing())
    .execute();
}
