import type { Kysely } from 'kysely';

export async function createWorkTables(db: Kysely<unknown>): Promise<void> {
  await createItems(db);
  await createItemIndexes(db);
  await createHistory(db);
  await db.schema
    .createTable('work_mailbox')
    .addColumn('mailbox_id', 'text', (c) => c.primaryKey().references('mailbox.id'))
    .addColumn('acknowledge_hours', 'integer')
    .addColumn('backup_principal_id', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('work_undo')
    .addColumn('item_id', 'text', (c) => c.primaryKey().references('work_item.id'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('principal_id', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('standing', 'text', (c) => c.notNull())
    .execute();
}

async function createItems(db: Kysely<unknown>): Promise<void> {
  let table = db.schema
    .createTable('work_item')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('inbound_fax_id', 'text', (c) => c.notNull().unique().references('inbound_fax.id'));
  const texts = [
    'sha256',
    'available_at',
    'updated_at',
    'state_key',
    'owner_id',
    'list_key',
    'history_digest',
  ];
  const integers = ['version', 'pages', 'is_test', 'history_count'];
  const optionalTexts = [
    'mailbox_id',
    'from_number',
    'to_number',
    'duplicate_of',
    'due_at',
    'due_source',
    'awaited_until',
    'missed_at',
    'assigned_at',
    'acknowledged_by',
    'acknowledged_at',
    'escalated_to',
    'escalated_at',
    'done_by',
    'done_at',
    'done_note',
    'history_end',
  ];
  for (const name of texts) table = table.addColumn(name, 'text', (c) => c.notNull());
  for (const name of integers) table = table.addColumn(name, 'integer', (c) => c.notNull());
  for (const name of optionalTexts) table = table.addColumn(name, 'text');
  await table.addColumn('due_hours', 'integer').execute();
}

/** One index for each way of listing, in the order of the pages. */
async function createItemIndexes(db: Kysely<unknown>): Promise<void> {
  const indexes: Record<string, string[]> = {
    work_item_listed: ['list_key'],
    work_item_of_mailbox: ['mailbox_id', 'list_key'],
    work_item_of_owner: ['owner_id', 'list_key'],
    work_item_of_owner_in_mailbox: ['owner_id', 'mailbox_id', 'list_key'],
    work_item_filed: ['available_at', 'id'],
    work_item_same: ['sha256', 'available_at', 'id'],
  };
  for (const [name, columns] of Object.entries(indexes))
    await db.schema.createIndex(name).on('work_item').columns(columns).execute();
  // Only what may still be missed is looked at.
  await db.schema
    .createIndex('work_item_awaited')
    .on('work_item')
    .columns(['awaited_until', 'id'])
    .where('awaited_until' as never, 'is not', null as never)
    .execute();
}

async function createHistory(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('work_history')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('item_id', 'text', (c) => c.notNull().references('work_item.id'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('occurred_at', 'text', (c) => c.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('owner_id', 'text')
    .addColumn('owner', 'text')
    .addColumn('item_version', 'integer', (c) => c.notNull())
    .addColumn('item_digest', 'text', (c) => c.notNull())
    .addColumn('previous', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull())
    .addUniqueConstraint('work_history_place', ['item_id', 'position'])
    .execute();
}
