import type { Kysely } from 'kysely';

export async function createGatewaysTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('gateway')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('run', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('release', 'text', (c) => c.notNull())
    .addColumn('works_with', 'integer', (c) => c.notNull())
    .addColumn('several', 'integer', (c) => c.notNull())
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('work_permit')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('run', 'text')
    .addColumn('gateway_id', 'text')
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('until', 'bigint', (c) => c.notNull())
    .execute();
}
