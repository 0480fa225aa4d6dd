import type { Kysely } from 'kysely';

export async function createNoticesTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deprecated_use')
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('user_name', 'text', (c) => c.notNull())
    .addColumn('first_at', 'text', (c) => c.notNull())
    .addColumn('last_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('deprecated_use_key', ['subject', 'user_id'])
    .execute();
}
