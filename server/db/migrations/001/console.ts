import type { Kysely } from 'kysely';

export async function createConsoleTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('backup_lease')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('until', 'text', (c) => c.notNull())
    .execute();
}
