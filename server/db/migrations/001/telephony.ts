import { type Kysely, sql } from 'kysely';

export async function createTelephonyTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('telephony_image')
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('inode', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('account', 'text', (c) => c.notNull())
    .addColumn('call_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('telephony_image_key', ['device', 'inode', 'sha256'])
    .execute();
  await createCalls(db);
}

async function createCalls(db: Kysely<unknown>): Promise<void> {
  let table = db.schema
    .createTable('telephony_call')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('direction', 'text', (c) => c.notNull())
    .addColumn('call_key', 'text', (c) => c.notNull())
    // However often a call is reported, it is one.
    .addUniqueConstraint('telephony_call_key', ['direction', 'call_key']);
  for (const name of ['recorded_at', 'outcome', 'sentence', 'sent_fax_ids'])
    table = table.addColumn(name, 'text', (c) => c.notNull());
  table = table.addColumn('version', 'integer', (c) => c.notNull());
  const optionalTexts = [
    'started_at',
    'answered_at',
    'ended_at',
    'number',
    'own_number',
    'line',
    'failure_code',
    'mode',
    'resolution',
    'station_id',
    'received_fax_id',
  ];
  for (const name of optionalTexts) table = table.addColumn(name, 'text');
  for (const name of ['cause', 'sip_status', 'ecm', 'rate_bps', 'pages_sent', 'pages_confirmed'])
    table = table.addColumn(name, 'integer');
  await table.execute();
  const newest = ['recorded_at', 'id'];
  const indexes: Record<string, string[]> = {
    telephony_call_newest: newest,
    telephony_call_of_number: ['number', ...newest],
    telephony_call_of_outcome: ['outcome', ...newest],
  };
  for (const [name, columns] of Object.entries(indexes))
    await db.schema.createIndex(name).on('telephony_call').columns(columns).execute();
  // For the removal of archived faxes.
  await db.schema
    .createIndex('telephony_call_of_received')
    .on('telephony_call')
    .column('received_fax_id')
    .where(sql.ref('received_fax_id'), 'is not', null)
    .execute();
}
