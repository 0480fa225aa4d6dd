import type { Kysely } from 'kysely';

export async function createPrintingTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('printed_document')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('owner_id', 'text')
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('printed_by', 'text')
    .addColumn('to_number', 'text')
    .addColumn('artifact', 'text', (c) => c.notNull().unique())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'integer', (c) => c.notNull())
    .addColumn('pages', 'integer', (c) => c.notNull())
    .addColumn('print_key', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('printed_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('printed_document_oldest')
    .on('printed_document')
    .columns(['printed_at', 'id'])
    .execute();
  await db.schema
    .createIndex('printed_document_of_person')
    .on('printed_document')
    .columns(['owner_id', 'printed_at'])
    .execute();
  await db.schema
    .createIndex('printed_document_key')
    .on('printed_document')
    .columns(['print_key', 'printed_at'])
    .execute();
  await db.schema
    .createTable('print_password')
    .addColumn('person_id', 'text', (c) => c.primaryKey())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('printer')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('uuid', 'text', (c) => c.notNull())
    .addColumn('last_job', 'integer', (c) => c.notNull())
    .execute();
}
