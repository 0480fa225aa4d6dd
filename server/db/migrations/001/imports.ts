import type { Kysely } from 'kysely';

export async function createImportsTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('document_import')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account', 'text', (c) => c.notNull())
    .addColumn('operation_id', 'text', (c) => c.notNull())
    .addColumn('revision', 'text', (c) => c.notNull())
    .addColumn('source_system', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('inbound_id', 'text', (c) => c.notNull())
    .addColumn('imported_at', 'text', (c) => c.notNull())
    .addColumn('duplicates', 'integer', (c) => c.notNull())
    .addColumn('conflicts', 'integer', (c) => c.notNull())
    .addColumn('repeated_at', 'text')
    .execute();
  // However often and from how many sides at once it comes, one identity is one import.
  await db.schema
    .createIndex('document_import_identity')
    .unique()
    .on('document_import')
    .columns(['account', 'operation_id', 'revision'])
    .execute();
  await db.schema
    .createIndex('document_import_of_fax')
    .unique()
    .on('document_import')
    .column('inbound_id')
    .execute();
}
