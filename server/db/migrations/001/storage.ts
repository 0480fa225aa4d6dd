import type { Kysely } from 'kysely';

export async function createStorageTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installation')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('replaces', 'text')
    .addColumn('bucket', 'text')
    .execute();
}
