import type { Kysely } from 'kysely';

export async function createRoutingTables(db: Kysely<unknown>): Promise<void> {
  await createReports(db);
  await createRateCards(db);
}

async function createReports(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('routing_report')
    .addColumn('backend', 'text', (c) => c.notNull())
    .addColumn('problem', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('last_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('routing_report_key', ['backend', 'problem'])
    .execute();
}

async function createRateCards(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rate_card')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('backend', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('removed_at', 'text')
    .execute();
  await db.schema
    .createTable('rate_card_version')
    .addColumn('card_id', 'text', (c) => c.notNull().references('rate_card.id'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('backend', 'text', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('per_page', 'text')
    .addColumn('per_minute', 'text')
    .addColumn('per_fax', 'text')
    .addColumn('monthly_fee', 'text')
    .addColumn('increment_seconds', 'integer', (c) => c.notNull())
    .addColumn('minimum_seconds', 'integer', (c) => c.notNull())
    .addColumn('included_pages', 'integer')
    .addColumn('prefixes', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('valid_from', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('created_by_name', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('rate_card_version_key', ['card_id', 'version'])
    .execute();
  await db.schema
    .createIndex('rate_card_version_of_backend')
    .on('rate_card_version')
    .columns(['backend', 'valid_from'])
    .execute();
  await db.schema
    .createTable('rate_card_prefix')
    .addColumn('backend', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('card_id', 'text', (c) => c.notNull().references('rate_card.id'))
    .addPrimaryKeyConstraint('rate_card_prefix_key', ['backend', 'prefix'])
    .execute();
}
