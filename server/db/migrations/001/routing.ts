import { type Kysely, sql } from 'kysely';

export async function createRoutingTables(db: Kysely<unknown>): Promise<void> {
  await createDeliveryRoutes(db);
  await createReports(db);
  await createRateCards(db);
  await createCosts(db);
  await createSums(db);
  await createSpending(db);
}

async function createDeliveryRoutes(db: Kysely<unknown>): Promise<void> {
  const texts = ['name', 'backend', 'prefixes', 'created_at', 'updated_at'];
  const integers = ['priority', 'enabled', 'next_allowed', 'version'];
  let table = db.schema.createTable('delivery_route').addColumn('id', 'text', (c) => c.primaryKey());
  for (const name of texts) table = table.addColumn(name, 'text', (c) => c.notNull());
  for (const name of integers) table = table.addColumn(name, 'integer', (c) => c.notNull());
  for (const name of ['own_number', 'header_name', 'account', 'removed_at'])
    table = table.addColumn(name, 'text');
  await table.addColumn('lines', 'integer').execute();
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
    .addColumn('route_id', 'text')
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
    .addColumn('route_id', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('card_id', 'text', (c) => c.notNull().references('rate_card.id'))
    .addPrimaryKeyConstraint('rate_card_prefix_key', ['backend', 'route_id', 'prefix'])
    .execute();
}

async function createCosts(db: Kysely<unknown>): Promise<void> {
  const texts = ['job_id', 'begun_at', 'day', 'backend', 'created_by', 'country', 'to_number', 'state'];
  const optionalTexts = [
    'route_id',
    'mailbox_id',
    'card_id',
    'estimated',
    'estimated_currency',
    'charged',
    'charged_currency',
    'certainty',
    'outcome',
    'ended_at',
  ];
  let table = db.schema.createTable('attempt_cost').addColumn('attempt_id', 'text', (c) => c.primaryKey());
  for (const name of texts) table = table.addColumn(name, 'text', (c) => c.notNull());
  for (const name of optionalTexts) table = table.addColumn(name, 'text');
  for (const name of ['pages', 'seconds', 'plan_pages', 'revision'])
    table = table.addColumn(name, 'integer', (c) => c.notNull());
  await table.addColumn('card_version', 'integer').execute();
  await db.schema.createIndex('attempt_cost_of_job').on('attempt_cost').column('job_id').execute();
  // For the results of routes for a number, limited to what a person may see, and the recent ones of a route for a
  // country.
  const ofEnded = {
    attempt_cost_of_number: ['to_number', 'begun_at', 'created_by', 'mailbox_id'],
    attempt_cost_of_country: ['route_id', 'country', 'ended_at'],
  };
  for (const [name, columns] of Object.entries(ofEnded))
    await db.schema
      .createIndex(name)
      .on('attempt_cost')
      .columns(columns)
      .where(sql.ref('outcome'), 'is not', null)
      .execute();
}

/** Creates the sums that cost queries read, updated with every change, instead of reading the attempts of a month. */
async function createSums(db: Kysely<unknown>): Promise<void> {
  const keys = ['day', 'backend', 'route_id', 'mailbox_id', 'created_by', 'country', 'currency'] as const;
  let sums = db.schema.createTable('cost_sum');
  for (const name of keys) sums = sums.addColumn(name, 'text', (c) => c.notNull().defaultTo(''));
  await sums
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('cost_sum_key', [...keys] as never)
    .execute();
  await db.schema
    .createTable('cost_number')
    .addColumn('month', 'text', (c) => c.notNull())
    .addColumn('to_number', 'text', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('cost_number_key', ['month', 'to_number', 'currency'])
    .execute();
  await db.schema
    .createIndex('cost_number_dearest')
    .on('cost_number')
    .columns(['month', 'currency', 'amount', 'to_number'])
    .execute();
  await db.schema
    .createTable('cost_plan')
    .addColumn('card_id', 'text', (c) => c.notNull().references('rate_card.id'))
    .addColumn('month', 'text', (c) => c.notNull())
    .addColumn('pages', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('cost_plan_key', ['card_id', 'month'])
    .execute();
}

/** Creates the totals that count towards spending limits: read by day, for the installation and for one person. */
async function createSpending(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('cost_total')
    .addColumn('principal_id', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('spent', 'bigint', (c) => c.notNull())
    .addColumn('reserved', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('cost_total_key', ['principal_id', 'day', 'currency'])
    .execute();
  await db.schema
    .createTable('cost_reserve')
    .addColumn('job_id', 'text', (c) => c.primaryKey())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('amount', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('spending_limit')
    .addColumn('principal_id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('per_day', 'text')
    .addColumn('per_month', 'text')
    .execute();
}
