import type { ReadDb } from '../../db/database.ts';
import { findImportOf } from './store.ts';
import type { ImportRecord } from './types.ts';

/** Returns the import of a received fax; null when it was not imported. Works inside a transaction. */
export async function importRecord(db: ReadDb, inboundFaxId: string): Promise<ImportRecord | null> {
  const row = await findImportOf(db, inboundFaxId);
  if (!row) return null;
  const { id, sha256 } = row;
  return {
    id,
    sha256,
    sourceSystem: row.source_system,
    operationId: row.operation_id,
    revision: row.revision === '' ? null : row.revision,
    importedAt: row.imported_at,
  };
}
