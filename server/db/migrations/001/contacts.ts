import type { Kysely } from 'kysely';

export async function createContactsTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('sort_name', 'text', (c) => c.notNull())
    .addColumn('organization', 'text')
    .addColumn('fax_number', 'text', (c) => c.notNull().unique())
    .addColumn('send_together_minutes', 'integer', (c) => c.notNull())
    .addColumn('preferred_route', 'text')
    .addColumn('encoded_pages', 'text', (c) => c.notNull())
    .addColumn('shared_key', 'text')
    .addColumn('shared_key_fingerprint', 'text')
    .addColumn('note', 'text')
    .addColumn('blocked', 'integer', (c) => c.notNull())
    .addColumn('search_text', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  // A search looks through the index alone.
  await db.schema
    .createIndex('contact_by_name')
    .on('contact')
    .columns(['sort_name', 'id', 'search_text'])
    .execute();
  await createLineMemory(db);
}

async function createLineMemory(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('line_memory')
    .addColumn('to_number', 'text', (c) => c.primaryKey())
    .addColumn('provider_account', 'text', (c) => c.notNull())
    .addColumn('without_t38', 'integer', (c) => c.notNull())
    .addColumn('without_ecm', 'integer', (c) => c.notNull())
    .addColumn('most_rate_bps', 'integer')
    .addColumn('troubles', 'integer', (c) => c.notNull())
    .addColumn('learned_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('line_memory_expires').on('line_memory').column('expires_at').execute();
}
