import type { Kysely } from 'kysely';

/** The security audit. */
export async function createAuditTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('security_event')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('occurred_at', 'text', (c) => c.notNull())
    .addColumn('last_at', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('same_key', 'text', (c) => c.unique())
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
