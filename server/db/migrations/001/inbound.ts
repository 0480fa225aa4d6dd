import { type Kysely, sql } from 'kysely';

export async function createInboundTables(db: Kysely<unknown>): Promise<void> {
  await createFaxes(db);
  await createFaxIndexes(db);
  await createEvidence(db);
  await createOriginals(db);
  await createReads(db);
  await createBlockedSenders(db);
  await createSeenNotifications(db);
  await createRemoved(db);
}

async function createFaxes(db: Kysely<unknown>): Promise<void> {
  let table = db.schema.createTable('inbound_fax').addColumn('id', 'text', (c) => c.primaryKey());
  const texts = [
    'backend',
    'provider_account',
    'provider_fax_id',
    'status',
    'received_at',
    'updated_at',
    'search_text',
  ];
  const integers = [
    'version',
    'to_inferred',
    'is_test',
    'recovered',
    'conflicts',
    'incomplete',
    'source_complete',
    'failures',
    'junk',
    'test',
  ];
  const optionalTexts = [
    'source_system',
    'from_number',
    'to_number',
    'mailbox_id',
    'sha256',
    'media_type',
    'document',
    'source_received_at',
    'retry_at',
    'problem',
    'captured',
    'turns',
    'subject',
    'reference',
    'document_type',
  ];
  for (const name of texts) table = table.addColumn(name, 'text', (c) => c.notNull());
  for (const name of integers) table = table.addColumn(name, 'integer', (c) => c.notNull());
  for (const name of optionalTexts) table = table.addColumn(name, 'text');
  for (const name of ['reported_pages', 'pages', 'size_bytes']) table = table.addColumn(name, 'integer');
  await table.execute();
  // The same fax id under two accounts is two faxes.
  await db.schema
    .createIndex('inbound_fax_of_provider')
    .unique()
    .on('inbound_fax')
    .columns(['provider_account', 'provider_fax_id'])
    .execute();
}

/** One index for each way of listing, in the order of the pages; a search looks through one of them alone. */
async function createFaxIndexes(db: Kysely<unknown>): Promise<void> {
  const newest = ['received_at', 'id'];
  const indexes: Record<string, string[]> = {
    inbound_fax_newest: [...newest, 'junk', 'test', 'search_text'],
    inbound_fax_of_status: ['status', ...newest, 'mailbox_id', 'junk', 'test', 'search_text'],
    inbound_fax_of_mailbox: ['mailbox_id', 'status', ...newest, 'junk', 'test', 'search_text'],
    inbound_fax_to: ['to_number', ...newest, 'mailbox_id', 'status', 'junk', 'test'],
    inbound_fax_from: ['from_number', ...newest, 'mailbox_id', 'status', 'junk', 'test'],
    inbound_fax_updated: ['updated_at', 'id'],
    inbound_fax_of_backend: ['backend', ...newest, 'mailbox_id', 'status', 'junk', 'test'],
  };
  for (const [name, columns] of Object.entries(indexes))
    await db.schema.createIndex(name).on('inbound_fax').columns(columns).execute();
  // For the list of Junk, which holds a small part of all faxes.
  await db.schema
    .createIndex('inbound_fax_junk')
    .on('inbound_fax')
    .columns([...newest, 'mailbox_id', 'status', 'from_number', 'test', 'search_text'])
    .where(sql.ref('junk'), '=', sql.lit(1))
    .execute();
  // For a test key, which sees nothing else.
  await db.schema
    .createIndex('inbound_fax_test')
    .on('inbound_fax')
    .columns([...newest, 'mailbox_id', 'status', 'search_text'])
    .where(sql.ref('test'), '=', sql.lit(1))
    .execute();
  // For the retention: only what still has a document is looked at.
  await db.schema
    .createIndex('inbound_fax_kept')
    .on('inbound_fax')
    .column('received_at')
    .where('document' as never, 'is not', null as never)
    .execute();
  // For sources other than providers: which of what they have belongs to a fax.
  await db.schema
    .createIndex('inbound_fax_with_source')
    .on('inbound_fax')
    .column('backend')
    .where('captured' as never, 'is not', null as never)
    .execute();
}

async function createEvidence(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('inbound_evidence')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('fax_id', 'text', (c) => c.notNull().references('inbound_fax.id'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('occurred_at', 'text', (c) => c.notNull())
    .addColumn('checked_by', 'text', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('notification', 'text')
    .addColumn('sha256', 'text')
    .addColumn('size_bytes', 'integer')
    .execute();
  await db.schema
    .createIndex('inbound_evidence_of_fax')
    .on('inbound_evidence')
    .columns(['fax_id', 'position', 'id'])
    .execute();
}

async function createOriginals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('inbound_original')
    .addColumn('fax_id', 'text', (c) => c.primaryKey().references('inbound_fax.id'))
    .addColumn('state', 'text')
    .addColumn('awaited_until', 'text')
    .addColumn('contact_id', 'text')
    .addColumn('pages_found', 'integer')
    .addColumn('pages_needed', 'integer')
    .addColumn('document_name', 'text')
    .addColumn('media_type', 'text')
    .addColumn('sha256', 'text')
    .addColumn('size_bytes', 'integer')
    .addColumn('document', 'text')
    .execute();
  // For a key that was added: the faxes that wait for one.
  await db.schema
    .createIndex('inbound_original_of_state')
    .on('inbound_original')
    .columns(['state', 'fax_id'])
    .execute();
}

async function createReads(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('inbound_read')
    .addColumn('principal_id', 'text', (c) => c.notNull())
    .addColumn('fax_id', 'text', (c) => c.notNull().references('inbound_fax.id'))
    .addColumn('read_at', 'text', (c) => c.notNull())
    .addColumn('reader_name', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('inbound_read_key', ['principal_id', 'fax_id'])
    .execute();
  await db.schema.createIndex('inbound_read_of_fax').on('inbound_read').column('fax_id').execute();
  await db.schema
    .createTable('inbound_look')
    .addColumn('provider_account', 'text', (c) => c.primaryKey())
    .addColumn('looked_at', 'text', (c) => c.notNull())
    .execute();
}

async function createBlockedSenders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('inbound_blocked_sender')
    .addColumn('number', 'text', (c) => c.primaryKey())
    .addColumn('fax_id', 'text')
    .addColumn('blocked_at', 'text', (c) => c.notNull())
    .addColumn('blocked_by_id', 'text')
    .addColumn('blocked_by', 'text', (c) => c.notNull())
    .execute();
}

/** Notifications that an earlier release had seen. */
async function createSeenNotifications(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('seen_notification')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('backend', 'text', (c) => c.notNull())
    .addColumn('provider_fax_id', 'text', (c) => c.notNull())
    .addColumn('seen_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('seen_notification_of_fax')
    .on('seen_notification')
    .columns(['backend', 'provider_fax_id'])
    .execute();
}

/** Faxes that were removed with an archive, by what their provider calls them. */
async function createRemoved(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('inbound_removed')
    .addColumn('provider_account', 'text', (c) => c.notNull())
    .addColumn('provider_fax_id', 'text', (c) => c.notNull())
    .addColumn('fax_id', 'text', (c) => c.notNull())
    .addColumn('received_at', 'text', (c) => c.notNull())
    .addColumn('year', 'integer', (c) => c.notNull())
    .addColumn('month', 'integer')
    .addColumn('removed_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('inbound_removed_key', ['provider_account', 'provider_fax_id'])
    .execute();
  for (const name of ['fax_id', 'received_at'])
    await db.schema.createIndex(`inbound_removed_of_${name}`).on('inbound_removed').column(name).execute();
}
