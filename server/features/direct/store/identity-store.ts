import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { DirectIdentityTable } from '../../../db/schema/direct.ts';

/** ID of the only row. */
const ID = 'own';

/** Finds the keys of this installation for direct delivery; null before their first use. */
export async function findIdentity(db: ReadDb): Promise<DirectIdentityTable | null> {
  const row = await db.selectFrom('direct_identity').selectAll().where('id', '=', ID).executeTakeFirst();
  return row ?? null;
}

/**
 * Replaces the version of the identity that was read; 0 when there was none. Returns false, and changes nothing, when
 * another gateway has replaced it since.
 */
export async function writeIdentity(
  tx: WriteTx,
  row: Omit<DirectIdentityTable, 'id' | 'version'>,
  readVersion: number,
): Promise<boolean> {
  if (readVersion === 0) {
    const made = await tx
      .insertInto('direct_identity')
      .values({ id: ID, ...row, version: 1 })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return (made.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
  const changed = await tx
    .updateTable('direct_identity')
    .set({ ...row, version: readVersion + 1 })
    .where('id', '=', ID)
    .where('version', '=', readVersion)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}
