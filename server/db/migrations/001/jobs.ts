import { type Kysely, sql } from 'kysely';

/** The durable queue. */
export async function createJobTables(db: Kysely<unknown>): Promise<void> {
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
  // Each look reads one entry for a kind and priority, and those that it claims.
  await db.schema
    .createIndex('job_due')
    .on('job')
    .columns(['kind', 'priority', 'run_at', 'id'])
    .where(sql.ref('locked_by'), 'is', null)
    .execute();
  await db.schema
    .createIndex('job_claimed')
    .on('job')
    .column('locked_by')
    .where(sql.ref('locked_by'), 'is not', null)
    .execute();
}
