import { type Kysely, sql } from 'kysely';

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
    .addColumn('seq', 'integer', (c) => c.notNull().unique())
    .addColumn('previous', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('chained_count', 'integer', (c) => c.notNull())
    .execute();
  const newest = ['occurred_at', 'id'];
  await db.schema.createIndex('security_event_newest').on('security_event').columns(newest).execute();
  for (const column of ['actor_id', 'target_id', 'operation', 'outcome'])
    await db.schema
      .createIndex(`security_event_${column}`)
      .on('security_event')
      .columns([column, ...newest])
      .execute();
  await db.schema
    .createIndex('security_event_unchained')
    .on('security_event')
    .column('occurred_at')
    .where(sql.ref('count'), '>', sql.ref('chained_count'))
    .execute();
  await createChain(db);
}

/** Creates the tables of the chain: counts that were fixed later, and the end of the chain. */
async function createChain(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('security_count')
    .addColumn('seq', 'integer', (c) => c.primaryKey())
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('last_at', 'text', (c) => c.notNull())
    .addColumn('previous', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull())
    .execute();
  const newest = ['event_id', 'seq'];
  await db.schema.createIndex('security_count_event').on('security_count').columns(newest).execute();
  await db.schema
    .createTable('security_chain')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('sealed', 'text')
    .execute();
  await sql`insert into security_chain (id, seq, digest) values (1, 0, ${sql.lit('0'.repeat(64))})`.execute(
    db,
  );
}
