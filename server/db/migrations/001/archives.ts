import type { Kysely } from 'kysely';

export async function createArchivesTables(db: Kysely<unknown>): Promise<void> {
  await createRemovals(db);
  await db.schema
    .createTable('archive_removal_fax')
    .addColumn('removal_id', 'text', (c) => c.notNull().references('archive_removal.id'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('direction', 'text', (c) => c.notNull())
    .addColumn('fax_id', 'text', (c) => c.notNull())
    .addColumn('revision', 'text', (c) => c.notNull())
    .addColumn('work_revision', 'text')
    .addColumn('sha256', 'text')
    .addColumn('original_sha256', 'text')
    .addPrimaryKeyConstraint('archive_removal_fax_key', ['removal_id', 'position'])
    .execute();
}

async function createRemovals(db: Kysely<unknown>): Promise<void> {
  let table = db.schema.createTable('archive_removal').addColumn('id', 'text', (c) => c.primaryKey());
  for (const name of ['year', 'version', 'waiting', 'removed_sent', 'removed_received', 'gone'])
    table = table.addColumn(name, 'integer', (c) => c.notNull());
  for (const name of ['since', 'until', 'state', 'staying', 'created_at', 'created_by'])
    table = table.addColumn(name, 'text', (c) => c.notNull());
  for (const name of ['month', 'not_archived']) table = table.addColumn(name, 'integer');
  for (const name of ['digest', 'problem', 'started_at', 'started_by', 'ended_at'])
    table = table.addColumn(name, 'text');
  await table.execute();
  await db.schema
    .createIndex('archive_removal_newest')
    .on('archive_removal')
    .columns(['created_at', 'id'])
    .execute();
}
