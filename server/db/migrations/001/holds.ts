import { type Kysely, sql } from 'kysely';

export async function createHoldsTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('legal_hold')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('case_id', 'text')
    .addColumn('numbers', 'text', (c) => c.notNull())
    .addColumn('contact_id', 'text')
    .addColumn('contact_name', 'text')
    .addColumn('mailbox_id', 'text')
    .addColumn('since', 'text')
    .addColumn('until', 'text')
    .addColumn('placed_at', 'text', (c) => c.notNull())
    .addColumn('placed_by_id', 'text')
    .addColumn('placed_by', 'text', (c) => c.notNull())
    .addColumn('released_at', 'text')
    .addColumn('released_by_id', 'text')
    .addColumn('released_by', 'text')
    .addColumn('release_note', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('legal_hold_newest').on('legal_hold').columns(['placed_at', 'id']).execute();
  await db.schema
    .createIndex('legal_hold_open')
    .on('legal_hold')
    .column('placed_at')
    .where(sql.ref('released_at'), 'is', null)
    .execute();
  await db.schema
    .createTable('legal_hold_fax')
    .addColumn('hold_id', 'text', (c) => c.notNull().references('legal_hold.id'))
    .addColumn('fax_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('legal_hold_fax_place', ['hold_id', 'fax_id'])
    .execute();
}
