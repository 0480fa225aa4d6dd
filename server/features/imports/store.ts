import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { ImportIdentity, ImportRow } from './types.ts';

export async function findImport(db: ReadDb, identity: ImportIdentity): Promise<ImportRow | undefined> {
  return db
    .selectFrom('document_import')
    .selectAll()
    .where('account', '=', identity.account)
    .where('operation_id', '=', identity.operation_id)
    .where('revision', '=', identity.revision)
    .executeTakeFirst();
}

/** The import that brought a received fax, if one did. */
export async function findImportOf(db: ReadDb, inboundId: string): Promise<ImportRow | undefined> {
  return db.selectFrom('document_import').selectAll().where('inbound_id', '=', inboundId).executeTakeFirst();
}

/**
 * Inserts an import; false when its identity was imported before. Waits for a concurrent import of the same identity.
 */
export async function insertImport(tx: WriteTx, row: ImportRow): Promise<boolean> {
  const result = await tx
    .insertInto('document_import')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account', 'operation_id', 'revision']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1;
}

/** Counts a repeated import, of the same document or another one. */
export async function countRepeat(
  tx: WriteTx,
  id: string,
  counted: 'duplicates' | 'conflicts',
  at: string,
): Promise<void> {
  await tx
    .updateTable('document_import')
    .set((eb) => ({ [counted]: eb(counted, '+', 1), repeated_at: at }))
    .where('id', '=', id)
    .execute();
}
