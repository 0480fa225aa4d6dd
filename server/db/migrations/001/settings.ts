import type { Kysely } from 'kysely';

/** The settings and what was changed of them. */
export async function createSettingsTables(db: Kysely<unknown>): Promise<void> {
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
  await db.schema
    .createTable('data_key_proof')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('proof', 'text', (c) => c.notNull())
    .addColumn('made_at', 'text', (c) => c.notNull())
    .addColumn('next_proof', 'text')
    .addColumn('hash_secret', 'text')
    .addColumn('replacement', 'text')
    .execute();
}
