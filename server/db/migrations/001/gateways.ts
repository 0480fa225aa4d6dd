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
  await db.schema
    .createTable('request_count')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('counts', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .execute();
  await createMoves(db);
}

/** Creates the table with the mark of a store that an installation is moved to or was moved from. */
async function createMoves(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('store_move')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('place', 'text', (c) => c.notNull())
    .addColumn('installation', 'text', (c) => c.notNull())
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('progress', 'text')
    .execute();
}
