import { type Kysely, sql } from 'kysely';

export async function createOutboundTables(db: Kysely<unknown>): Promise<void> {
  await createJobs(db);
  await createJobIndexes(db);
  await createNumbers(db);
  await createAttempts(db);
  await createCallbackIndexes(db);
  await createCalls(db);
  await createRequestsAndLinks(db);
  await createRemoved(db);
  await createUnseenFailures(db);
}

/** Columns of a fax that many faxes have no value for. */
const OPTIONAL_JOB_TEXTS = [
  'reconciliation_reason',
  'error',
  'provider_sid',
  'artifact',
  'source_digest',
  'resend_of',
  'answers',
  'tried_again_as',
  'case_id',
  'packet',
  'cover',
  'broadcast_id',
  'page_edits',
  'mailbox_id',
  'header_name',
  'delivered_by',
  'decided_by_name',
  'decided_note',
  'ask_again_at',
  'send_at',
  'send_by',
  'hours_at',
  'hours_reason',
  'waits_for',
  'held_reason',
  'arrival_warning',
  'together_at',
  'route_id',
  'route_name',
  'route_reason',
  'subject',
  'reference',
  'document_type',
  'described_at',
  'encoded_mode',
  'encoded_sha256',
] as const;
/** Columns of a fax that are empty where they do not apply. */
const OPTIONAL_INTEGERS = ['pages', 'call_seconds', 'encoded_size', 'encoded_pages', 'encoded_seconds'];

async function createJobs(db: Kysely<unknown>): Promise<void> {
  let table = db.schema.createTable('fax_job').addColumn('id', 'text', (c) => c.primaryKey());
  const texts = [
    'kind',
    'to_number',
    'delivery_state',
    'dispatch_mode',
    'backend',
    'created_at',
    'updated_at',
    'document_name',
    'document_media_type',
    'document_sha256',
    'plan',
    'account_id',
    'created_by',
    'created_by_name',
    'titles',
    'page_form',
    'send_when',
    'search_text',
  ];
  const integers = [
    'delivery_version',
    'document_size',
    'document_pages',
    'plan_steps',
    'queue_only',
    'send_now',
    'urgent',
    'send_by_call',
    'clean_greys',
    'test',
    'automatic_tries',
    'over_limit',
    'arrival_proved',
  ];
  for (const name of texts) table = table.addColumn(name, 'text', (c) => c.notNull());
  for (const name of integers) table = table.addColumn(name, 'integer', (c) => c.notNull());
  for (const name of OPTIONAL_JOB_TEXTS) table = table.addColumn(name, 'text');
  for (const name of OPTIONAL_INTEGERS) table = table.addColumn(name, 'integer');
  await table.execute();
}

/**
 * One index for each way of listing, with the state before the time, so that any choice of states is read in the order of
 * the page. Each ends in the text that is searched: a search for something rare looks through the index alone. What a
 * mailbox has is read in the same ways; a fax sent for none costs nothing there. Test faxes, which most lists leave out, have
 * an index of their own.
 */
async function createJobIndexes(db: Kysely<unknown>): Promise<void> {
  const newest = ['created_at', 'id'];
  const indexes: Record<string, string[]> = {
    fax_job_newest: [...newest, 'test', 'search_text'],
    fax_job_of_state: ['delivery_state', ...newest, 'test', 'search_text'],
    fax_job_of_number: ['to_number', 'delivery_state', ...newest, 'created_by', 'test', 'search_text'],
    fax_job_of_creator: ['created_by', 'delivery_state', ...newest, 'test', 'search_text'],
  };
  for (const [name, columns] of Object.entries(indexes))
    await db.schema.createIndex(name).on('fax_job').columns(columns).execute();
  const ends = [...newest, 'created_by', 'test', 'search_text'];
  const ofMailbox: Record<string, string[]> = {
    fax_job_of_mailbox_newest: ['mailbox_id', ...ends],
    fax_job_of_mailbox_state: ['mailbox_id', 'delivery_state', ...ends],
    fax_job_of_mailbox_number: ['mailbox_id', 'to_number', 'delivery_state', ...ends],
  };
  for (const [name, columns] of Object.entries(ofMailbox))
    await db.schema
      .createIndex(name)
      .on('fax_job')
      .columns(columns)
      .where(sql.ref('mailbox_id'), 'is not', null)
      .execute();
  await createCaseIndexes(db);
  await createAnswerIndex(db);
  await db.schema
    .createIndex('fax_job_of_broadcast')
    .on('fax_job')
    .columns(['broadcast_id', ...newest, 'delivery_state', 'created_by', 'mailbox_id', 'test'])
    .where(sql.ref('broadcast_id'), 'is not', null)
    .execute();
  await createWaitingIndex(db);
  await db.schema
    .createIndex('fax_job_test')
    .on('fax_job')
    .columns([...newest, 'delivery_state', 'created_by', 'search_text'])
    .where(sql.ref('test'), '=', sql.lit(1))
    .execute();
}

/** Faxes that wait for a time are few; the condition is that of their queries. */
async function createWaitingIndex(db: Kysely<unknown>): Promise<void> {
  const times = ['send_at', 'hours_at', 'together_at'];
  await db.schema
    .createIndex('fax_job_waiting')
    .on('fax_job')
    .columns([...times, 'id', 'created_by', 'mailbox_id', 'test', 'broadcast_id'])
    .where(sql<boolean>`delivery_state = 'ready'`)
    .where(sql<boolean>`coalesce(send_at, hours_at, together_at) is not null`)
    .execute();
}

/** Answers to received faxes, and faxes that send others again, are few. */
async function createAnswerIndex(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('fax_job_of_answered')
    .on('fax_job')
    .columns(['answers', 'created_at', 'id'])
    .where(sql.ref('answers'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('fax_job_of_resent')
    .on('fax_job')
    .columns(['resend_of', 'delivery_state'])
    .where(sql.ref('resend_of'), 'is not', null)
    .execute();
}

/** Faxes with a case are few: one index lists those of a case, the other finds the newest of each case. */
async function createCaseIndexes(db: Kysely<unknown>): Promise<void> {
  const seen = ['created_by', 'mailbox_id', 'test'];
  const indexes = {
    fax_job_of_case: ['case_id', 'created_at', 'id', 'delivery_state', ...seen],
    fax_job_with_case: ['created_at', 'id', 'case_id', ...seen],
  };
  for (const [name, columns] of Object.entries(indexes))
    await db.schema
      .createIndex(name)
      .on('fax_job')
      .columns(columns)
      .where(sql.ref('case_id'), 'is not', null)
      .execute();
}

async function createNumbers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fax_number')
    .addColumn('to_number', 'text', (c) => c.primaryKey())
    .addColumn('last_used_at', 'text', (c) => c.notNull())
    .addColumn('last_success_at', 'text')
    .addColumn('uses', 'integer', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('fax_number_last_used')
    .on('fax_number')
    .columns(['last_used_at', 'to_number'])
    .execute();
}

async function createAttempts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fax_attempt')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('job_id', 'text', (c) => c.notNull().references('fax_job.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('step', 'integer', (c) => c.notNull())
    .addColumn('transport', 'text', (c) => c.notNull())
    .addColumn('backend', 'text', (c) => c.notNull())
    .addColumn('phase', 'text', (c) => c.notNull())
    .addColumn('provider_account', 'text', (c) => c.notNull())
    .addColumn('route_id', 'text')
    .addColumn('route_name', 'text')
    .addColumn('route_reason', 'text')
    .addColumn('provider_sid', 'text')
    .addColumn('submitted_at', 'text')
    .addColumn('completed_at', 'text')
    .addColumn('pages_sent', 'integer')
    .addColumn('seconds', 'integer')
    .addColumn('rate_bps', 'integer')
    .addColumn('error_category', 'text')
    .addColumn('unreached', 'text')
    .addColumn('failure_code', 'text')
    .addColumn('callback_url', 'text')
    .addColumn('callback_result', 'text')
    .addColumn('waiting_since', 'text')
    .addColumn('retry_at', 'text')
    .addColumn('ends_here', 'integer', (c) => c.notNull())
    .addColumn('call_id', 'text')
    .addColumn('call_first_page', 'integer')
    .addColumn('call_pages', 'integer')
    .addColumn('encoded_pages', 'integer')
    .addColumn('without_t38', 'integer')
    .addColumn('without_ecm', 'integer')
    .addColumn('most_rate_bps', 'integer')
    .addColumn('learned_at', 'text')
    .addUniqueConstraint('fax_attempt_number', ['job_id', 'number'])
    .execute();
  // One fax of one account belongs to one attempt, or to those of one call, whatever a person or a callback claims.
  await sql`create unique index fax_attempt_provider_fax
    on fax_attempt (provider_account, provider_sid, coalesce(call_first_page, 0))`.execute(db);
  await db.schema
    .createTable('fax_history')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('job_id', 'text', (c) => c.notNull().references('fax_job.id'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('occurred_at', 'text', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('fax_history_of_job')
    .on('fax_history')
    .columns(['job_id', 'position', 'id'])
    .execute();
}

/** Of the callbacks of attempts: what still has to come, and what never did. Both are few. */
async function createCallbackIndexes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('fax_attempt_uncalled')
    .on('fax_attempt')
    .column('completed_at')
    .where(sql.ref('callback_url'), 'is not', null)
    .where(sql.ref('callback_result'), 'is', null)
    .execute();
  await db.schema
    .createIndex('fax_attempt_missed')
    .on('fax_attempt')
    .columns(['backend', 'completed_at'])
    .where(sql.ref('callback_result'), '=', sql.lit('missed'))
    .execute();
}

/** Calls on lines of our own or with several faxes, and the faxes that wait for a line. Both are few: what is over is removed. */
async function createCalls(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('fax_attempt_of_call')
    .on('fax_attempt')
    .column('call_id')
    .where(sql.ref('call_id'), 'is not', null)
    .execute();
  await db.schema
    .createTable('fax_call')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('lines_of', 'text', (c) => c.notNull())
    .addColumn('to_number', 'text', (c) => c.notNull())
    .addColumn('lead_job_id', 'text', (c) => c.notNull().references('fax_job.id'))
    .addColumn('artifact', 'text')
    .addColumn('ended_at', 'text')
    .execute();
  for (const name of ['lines_of', 'to_number'])
    await db.schema
      .createIndex(`fax_call_of_${name}`)
      .on('fax_call')
      .column(name)
      .where(sql.ref('ended_at'), 'is', null)
      .execute();
  await db.schema
    .createTable('fax_line_wait')
    .addColumn('job_id', 'text', (c) => c.primaryKey().references('fax_job.id'))
    .addColumn('lines_of', 'text', (c) => c.notNull())
    .addColumn('to_number', 'text', (c) => c.notNull())
    .addColumn('rank', 'text', (c) => c.notNull())
    .addColumn('lines', 'integer', (c) => c.notNull())
    .addColumn('dispatch_key', 'text', (c) => c.notNull())
    .addColumn('called_at', 'text')
    .execute();
  await db.schema
    .createIndex('fax_line_wait_order')
    .on('fax_line_wait')
    .columns(['lines_of', 'rank', 'job_id'])
    .execute();
}

async function createRequestsAndLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fax_request')
    .addColumn('caller_id', 'text', (c) => c.notNull())
    .addColumn('idempotency_key', 'text', (c) => c.notNull())
    .addColumn('to_text', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('document_fingerprint', 'text', (c) => c.notNull())
    .addColumn('preview_id', 'text')
    .addColumn('mailbox', 'text')
    // Stays when its fax was removed with an archive: the request must not be sent again.
    .addColumn('job_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('fax_request_key', ['caller_id', 'idempotency_key'])
    .execute();
  await db.schema
    .createTable('fax_link')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('job_id', 'text', (c) => c.notNull().references('fax_job.id'))
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('fax_link_of_job').on('fax_link').columns(['job_id']).execute();
}

async function createUnseenFailures(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fax_unseen_failure')
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('job_id', 'text', (c) => c.notNull().references('fax_job.id'))
    .addPrimaryKeyConstraint('fax_unseen_failure_key', ['created_by', 'job_id'])
    .execute();
  // Each deleted fax is searched here.
  await db.schema
    .createIndex('fax_unseen_failure_of_job')
    .on('fax_unseen_failure')
    .column('job_id')
    .execute();
}

/** Faxes that were removed with an archive. */
async function createRemoved(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fax_removed')
    .addColumn('fax_id', 'text', (c) => c.primaryKey())
    .addColumn('year', 'integer', (c) => c.notNull())
    .addColumn('month', 'integer')
    .addColumn('removed_at', 'text', (c) => c.notNull())
    .execute();
}
