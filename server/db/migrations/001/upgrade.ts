import type { Kysely } from 'kysely';

export async function createUpgradeTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('upgrade_run')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('source_mark', 'text', (c) => c.notNull().unique())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('files', 'text', (c) => c.notNull())
    .addColumn('started_at', 'text', (c) => c.notNull())
    .addColumn('finished_at', 'text')
    .addColumn('part', 'text', (c) => c.notNull())
    .addColumn('after_key', 'text')
    .addColumn('counts', 'text', (c) => c.notNull())
    .addColumn('notes', 'integer', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('upgrade_note')
    .addColumn('run_id', 'text', (c) => c.notNull().references('upgrade_run.id'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('subject_id', 'text')
    .addColumn('text', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('upgrade_note_key', ['run_id', 'position'])
    .execute();
}
