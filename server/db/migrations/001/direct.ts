import type { Kysely } from 'kysely';

export async function createDirectTables(db: Kysely<unknown>): Promise<void> {
  await createIdentity(db);
  await createPartners(db);
  await createDeliveries(db);
}

async function createIdentity(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('direct_identity')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('signing_key', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
}

async function createPartners(db: Kysely<unknown>): Promise<void> {
  const texts = ['organization', 'fax_number', 'endpoint', 'signing_key', 'exchange_key', 'card'];
  const optionalTexts = [
    'previous_signing_key',
    'previous_exchange_key',
    'previous_until',
    'told_signing_key',
    'code_id',
    'code_hmac',
    'code_sent_at',
    'code_expires_at',
    'code_fax_id',
    'number_confirmed_at',
    'expires_at',
    'confirmed_by_them_at',
    'confirmed_by_them_until',
    'revoked_at',
    'last_exchange_at',
    'notice_30_for',
    'notice_7_for',
  ];
  let table = db.schema.createTable('direct_partner').addColumn('id', 'text', (c) => c.primaryKey());
  for (const name of texts) table = table.addColumn(name, 'text', (c) => c.notNull());
  for (const name of optionalTexts) table = table.addColumn(name, 'text');
  await table
    .addColumn('code_tries', 'integer', (c) => c.notNull())
    .addColumn('revoked_by_them', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('direct_partner_once')
    .unique()
    .on('direct_partner')
    .column('signing_key')
    .execute();
  await createIndexes(db, 'direct_partner', [
    ['direct_partner_by_previous_key', ['previous_signing_key']],
    ['direct_partner_by_number', ['fax_number']],
    ['direct_partner_newest', ['created_at', 'id']],
  ]);
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('direct_delivery')
    .addColumn('message_id', 'text', (c) => c.notNull())
    .addColumn('direction', 'text', (c) => c.notNull())
    .addColumn('partner_id', 'text', (c) => c.notNull().references('direct_partner.id'))
    .addColumn('job_id', 'text')
    .addColumn('inbound_id', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('problem', 'text')
    .addColumn('manifest', 'text')
    .addColumn('manifest_signature', 'text')
    .addColumn('manifest_sha256', 'text')
    .addColumn('receipt', 'text')
    .addColumn('receipt_signature', 'text')
    .addColumn('sha256', 'text')
    .addColumn('size_bytes', 'integer')
    .addColumn('pages', 'integer')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('accepted_at', 'text')
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('direct_delivery_once', ['message_id', 'direction'])
    .execute();
  await createIndexes(db, 'direct_delivery', [
    ['direct_delivery_newest', ['created_at', 'message_id']],
    ['direct_delivery_of_partner', ['partner_id', 'created_at']],
    ['direct_delivery_by_state', ['state', 'updated_at']],
    ['direct_delivery_of_job', ['job_id']],
    ['direct_delivery_of_inbound', ['inbound_id']],
  ]);
}

async function createIndexes(
  db: Kysely<unknown>,
  table: string,
  indexes: readonly (readonly [name: string, columns: readonly string[]])[],
): Promise<void> {
  for (const [name, columns] of indexes)
    await db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute();
}
