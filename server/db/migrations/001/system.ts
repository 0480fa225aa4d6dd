import type { Kysely } from 'kysely';

/** Settings, the security audit and the durable queue. */
export async function createSystemTables(db: Kysely<unknown>): Promise<void> {
  await createSettings(db);
  await createSecurityAudit(db);
  await createQueue(db);
}

async function createSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settings_revision')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('generation', 'integer', (c) => c.notNull().unique())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('actor_name', 'text', (c) => c.notNull())
    .addColumn('changes', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('setting')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('generation', 'integer', (c) => c.notNull())
    .execute();
}

async function createSecurityAudit(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('security_event')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('occurred_at', 'text', (c) => c.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('actor_name', 'text', (c) => c.notNull())
    .addColumn('credential_kind', 'text', (c) => c.notNull())
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('target_kind', 'text', (c) => c.notNull())
    .addColumn('target_id', 'text')
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('policy_version', 'integer', (c) => c.notNull())
    .addColumn('request_id', 'text')
    .addColumn('details', 'text', (c) => c.notNull())
    .execute();
  const newest = ['occurred_at', 'id'];
  await db.schema.createIndex('security_event_newest').on('security_event').columns(newest).execute();
  for (const column of ['actor_id', 'target_id', 'operation', 'outcome'])
    await db.schema
      .createIndex(`security_event_${column}`)
      .on('security_event')
      .columns([column, ...newest])
      .execute();
}

async function createQueue(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('job')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.unique())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('priority', 'integer', (c) => c.notNull())
    .addColumn('run_at', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('locked_by', 'text')
    .addColumn('locked_until', 'bigint')
    .addColumn('last_error', 'text')
    .execute();
  await db.schema.createIndex('job_due').on('job').columns(['locked_by', 'run_at', 'priority']).execute();
}
