import { type Kysely, sql } from 'kysely';

export async function createBroadcastsTables(db: Kysely<unknown>): Promise<void> {
  await createBroadcasts(db);
  await createRecipients(db);
  await db.schema
    .createTable('broadcast_event')
    .addColumn('broadcast_id', 'text', (c) => c.notNull().references('broadcast.id'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('occurred_at', 'text', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('broadcast_event_place', ['broadcast_id', 'position'])
    .execute();
}

async function createBroadcasts(db: Kysely<unknown>): Promise<void> {
  const texts = [
    'state',
    'change_id',
    'page_form',
    'send_when',
    'name',
    'document_name',
    'document_media_type',
    'document_sha256',
    'source_digest',
    'created_by',
    'created_by_name',
    'created_at',
    'updated_at',
    'search_text',
  ];
  const integers = [
    'version',
    'changes',
    'recipients',
    'document_size',
    'document_pages',
    'clean_greys',
    'send_by_call',
    'test',
  ];
  const optionalTexts = [
    'paused_reason',
    'artifact',
    'page_edits',
    'subject',
    'reference',
    'document_type',
    'mailbox_id',
    'sends_for',
    'header_name',
    'cancelled_by_name',
    'send_at',
    'opt_out_line',
    'send_by',
    'cover_id',
    'cover_name',
    'cover_fields',
    'opt_out_page',
    'request_key',
  ];
  let table = db.schema.createTable('broadcast').addColumn('id', 'text', (c) => c.primaryKey());
  for (const name of texts) table = table.addColumn(name, 'text', (c) => c.notNull());
  for (const name of integers) table = table.addColumn(name, 'integer', (c) => c.notNull());
  for (const name of optionalTexts) table = table.addColumn(name, 'text');
  await table.addColumn('call_seconds', 'integer').execute();
  await db.schema.createIndex('broadcast_newest').on('broadcast').columns(['created_at', 'id']).execute();
  await db.schema.createIndex('broadcast_last_change').on('broadcast').column('change_id').execute();
  await db.schema
    .createIndex('broadcast_of_request')
    .on('broadcast')
    .column('request_key')
    .where(sql.ref('request_key'), 'is not', null)
    .execute();
}

async function createRecipients(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('broadcast_recipient')
    .addColumn('broadcast_id', 'text', (c) => c.notNull().references('broadcast.id'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('line', 'integer', (c) => c.notNull())
    .addColumn('to_number', 'text', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('fields', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('fax_id', 'text')
    .addColumn('again', 'integer', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('broadcast_recipient_place', ['broadcast_id', 'position'])
    .addUniqueConstraint('broadcast_recipient_number', ['broadcast_id', 'to_number'])
    .execute();
  await db.schema
    .createIndex('broadcast_recipient_of_state')
    .on('broadcast_recipient')
    .columns(['broadcast_id', 'state', 'position'])
    .execute();
  await db.schema
    .createIndex('broadcast_recipient_of_fax')
    .on('broadcast_recipient')
    .column('fax_id')
    .unique()
    .where(sql.ref('fax_id'), 'is not', null)
    .execute();
}
