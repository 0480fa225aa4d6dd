import type { Kysely } from 'kysely';

export async function createRoutingTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('routing_report')
    .addColumn('backend', 'text', (c) => c.notNull())
    .addColumn('problem', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('last_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('routing_report_key', ['backend', 'problem'])
    .execute();
}
