import type { Kysely } from 'kysely';

export async function createPrintRulesTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('print_rule')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('mailbox_id', 'text')
    .addColumn('hours', 'text')
    .addColumn('printer', 'text', (c) => c.notNull())
    .addColumn('printer_url', 'text', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await createJobs(db);
}

async function createJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('printout')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('fax_id', 'text', (c) => c.notNull().references('inbound_fax.id'))
    .addColumn('rule_id', 'text', (c) => c.notNull())
    .addColumn('rule_name', 'text', (c) => c.notNull())
    .addColumn('printer', 'text', (c) => c.notNull())
    .addColumn('printer_url', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('problem', 'text')
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('retry_at', 'text')
    .addColumn('job_name', 'text', (c) => c.notNull().unique())
    .addColumn('printer_job', 'integer')
    .addColumn('mailbox_id', 'text')
    .addColumn('from_number', 'text')
    .addColumn('to_number', 'text')
    .addColumn('pages', 'integer', (c) => c.notNull())
    .addColumn('is_test', 'integer', (c) => c.notNull())
    .addColumn('submitted_at', 'text')
    .addColumn('printer_up_time', 'integer')
    .addColumn('printed_at', 'text')
    .addColumn('recorded_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('printout_once', ['fax_id', 'rule_id'])
    .execute();
  await db.schema.createIndex('printout_newest').on('printout').columns(['recorded_at', 'id']).execute();
  await db.schema
    .createIndex('printout_by_mailbox')
    .on('printout')
    .columns(['mailbox_id', 'recorded_at', 'id', 'state'])
    .execute();
  await db.schema
    .createIndex('printout_by_state')
    .on('printout')
    .columns(['state', 'recorded_at', 'id'])
    .execute();
}
