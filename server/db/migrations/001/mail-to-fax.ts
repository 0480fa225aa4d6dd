import type { Kysely } from 'kysely';

export async function createMailToFaxTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mail_sender')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('address', 'text', (c) => c.notNull().unique())
    .addColumn('principal_id', 'text', (c) => c.notNull().references('principal.id'))
    .addColumn('mailbox_id', 'text', (c) => c.references('mailbox.id'))
    .addColumn('created_by_name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await createMessages(db);
  await createReplies(db);
}

async function createMessages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mail_message')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account', 'text', (c) => c.notNull())
    .addColumn('uid_validity', 'text', (c) => c.notNull())
    .addColumn('uid', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('sender', 'text')
    .addColumn('principal_id', 'text')
    .addColumn('message_id', 'text')
    .addColumn('identity', 'text')
    .addColumn('to_number', 'text')
    .addColumn('fax_id', 'text')
    .addColumn('problem', 'text')
    .addColumn('begun', 'integer', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('retry_at', 'text')
    .addColumn('recorded_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('mail_message_once', ['account', 'uid_validity', 'uid'])
    .execute();
  const indexes = [
    ['mail_message_newest', ['recorded_at', 'id']],
    ['mail_message_by_state', ['state', 'recorded_at', 'id']],
    ['mail_message_by_identity', ['identity']],
    ['mail_message_by_fax', ['fax_id']],
  ] as const;
  for (const [name, columns] of indexes)
    await db.schema
      .createIndex(name)
      .on('mail_message')
      .columns([...columns])
      .execute();
}

async function createReplies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mail_reply')
    .addColumn('mail_id', 'text', (c) => c.notNull().references('mail_message.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('subject', 'text')
    .addColumn('problem', 'text')
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('retry_at', 'text')
    .addColumn('recorded_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('mail_reply_once', ['mail_id', 'kind'])
    .execute();
  const indexes = [
    ['mail_reply_by_state', ['state', 'recorded_at']],
    ['mail_reply_by_address', ['address', 'updated_at']],
  ] as const;
  for (const [name, columns] of indexes)
    await db.schema
      .createIndex(name)
      .on('mail_reply')
      .columns([...columns])
      .execute();
}
