import { type Kysely, sql } from 'kysely';

export async function createContactsTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('sort_name', 'text', (c) => c.notNull())
    .addColumn('organization', 'text')
    .addColumn('fax_number', 'text', (c) => c.notNull())
    .addColumn('other_fax_numbers', 'text', (c) => c.notNull())
    .addColumn('voice_number', 'text')
    .addColumn('address', 'text')
    .addColumn('tags', 'text', (c) => c.notNull())
    .addColumn('owner_mailbox_id', 'text')
    .addColumn('opted_out_at', 'text')
    .addColumn('consent_note', 'text')
    .addColumn('time_zone', 'text')
    .addColumn('allowed_hours', 'text')
    .addColumn('cover_id', 'text')
    .addColumn('accepts_references', 'integer', (c) => c.notNull())
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
  await db.schema.createIndex('contact_by_voice').on('contact').column('voice_number').execute();
  await createContactKeys(db);
  await createLineMemory(db);
  await createOptOuts(db);
}

/** Creates the tables by which a contact is found: its fax numbers and its tags. */
async function createContactKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact_number')
    .addColumn('number', 'text', (c) => c.primaryKey())
    .addColumn('contact_id', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('contact_number_owner').on('contact_number').column('contact_id').execute();
  await db.schema
    .createTable('contact_tag')
    .addColumn('tag', 'text', (c) => c.notNull())
    .addColumn('contact_id', 'text', (c) => c.notNull())
    .addColumn('label', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('contact_tag_key', ['tag', 'contact_id'])
    .execute();
  // Tags are counted in the index alone.
  await db.schema.createIndex('contact_tag_label').on('contact_tag').columns(['tag', 'label']).execute();
  await db.schema.createIndex('contact_tag_owner').on('contact_tag').column('contact_id').execute();
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

async function createOptOuts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('opted_out_number')
    .addColumn('number', 'text', (c) => c.primaryKey())
    .addColumn('note', 'text')
    .addColumn('added_at', 'text', (c) => c.notNull())
    .addColumn('added_by_id', 'text')
    .addColumn('added_by', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('contact_opted_out')
    .on('contact')
    .column('id')
    .where(sql.ref('opted_out_at'), 'is not', null)
    .execute();
}
