import type { Kysely } from 'kysely';

export async function createWebhooksTables(db: Kysely<unknown>): Promise<void> {
  await createEndpoints(db);
  await createEvents(db);
  await createDeliveries(db);
}

async function createEndpoints(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_endpoint')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('principal_id', 'text', (c) => c.notNull().references('principal.id'))
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('events', 'text', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('test', 'integer', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('former_secret', 'text')
    .addColumn('former_until', 'text')
    .addColumn('paused_reason', 'text')
    .addColumn('failing_since', 'text')
    .addColumn('last_accepted_at', 'text')
    .addColumn('wait_until', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_by_name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_event')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('subject_id', 'text')
    .addColumn('test', 'integer', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('occurred_at', 'text', (c) => c.notNull())
    .execute();
  await createIndexes(db, 'webhook_event', [
    ['webhook_event_by_time', ['occurred_at']],
    ['webhook_event_by_subject', ['subject_id']],
  ]);
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_delivery')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('event_id', 'text', (c) => c.notNull().references('webhook_event.id'))
    .addColumn('endpoint_id', 'text', (c) => c.notNull().references('webhook_endpoint.id'))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('problem', 'text')
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('begun_at', 'text', (c) => c.notNull())
    .addColumn('retry_at', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('occurred_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('webhook_delivery_once', ['event_id', 'endpoint_id'])
    .execute();
  await createIndexes(db, 'webhook_delivery', [
    ['webhook_delivery_newest', ['occurred_at', 'id']],
    ['webhook_delivery_of_endpoint', ['endpoint_id', 'occurred_at', 'id']],
    ['webhook_delivery_by_state', ['state', 'occurred_at', 'id']],
    ['webhook_delivery_due', ['endpoint_id', 'retry_at']],
  ]);
  await db.schema
    .createTable('webhook_attempt')
    .addColumn('delivery_id', 'text', (c) => c.notNull().references('webhook_delivery.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('duration_ms', 'integer', (c) => c.notNull())
    .addColumn('status', 'integer')
    .addColumn('problem', 'text')
    .addPrimaryKeyConstraint('webhook_attempt_once', ['delivery_id', 'number'])
    .execute();
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
