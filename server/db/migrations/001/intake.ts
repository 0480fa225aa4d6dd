import type { Kysely } from 'kysely';

export async function createIntakeTables(db: Kysely<unknown>): Promise<void> {
  await createConnectors(db);
  await createItems(db);
  await db.schema
    .createTable('intake_recipient')
    .addColumn('item_id', 'text', (c) => c.notNull().references('intake_item.id'))
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('sentence', 'text')
    .addColumn('at', 'text')
    .addPrimaryKeyConstraint('intake_recipient_key', ['item_id', 'address'])
    .execute();
}

async function createConnectors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('intake_connector')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('security', 'text', (c) => c.notNull())
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('password', 'text')
    .addColumn('oauth_provider', 'text')
    .addColumn('oauth', 'text')
    .addColumn('oauth_problem', 'text')
    .addColumn('from_address', 'text', (c) => c.notNull())
    .addColumn('recipients', 'text', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('match_number', 'text')
    .addColumn('subject_template', 'text', (c) => c.notNull())
    .addColumn('tested_at', 'text')
    .addColumn('test_ok', 'integer')
    .addColumn('test_detail', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
}

async function createItems(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('intake_item')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('fax_id', 'text', (c) => c.notNull().references('inbound_fax.id'))
    .addColumn('connector_id', 'text', (c) => c.notNull())
    .addColumn('connector_name', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('problem', 'text')
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('retry_at', 'text')
    .addColumn('message_id', 'text', (c) => c.notNull())
    .addColumn('mailbox_id', 'text')
    .addColumn('from_number', 'text')
    .addColumn('to_number', 'text')
    .addColumn('pages', 'integer', (c) => c.notNull())
    .addColumn('is_test', 'integer', (c) => c.notNull())
    .addColumn('filed_at', 'text', (c) => c.notNull())
    .addColumn('recorded_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('intake_item_once', ['fax_id', 'connector_id'])
    .execute();
  await db.schema
    .createIndex('intake_item_newest')
    .on('intake_item')
    .columns(['recorded_at', 'id'])
    .execute();
  await db.schema
    .createIndex('intake_item_by_state')
    .on('intake_item')
    .columns(['state', 'recorded_at', 'id'])
    .execute();
}
