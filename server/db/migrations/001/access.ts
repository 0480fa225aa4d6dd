import type { Kysely } from 'kysely';

export async function createAccessTables(db: Kysely<unknown>): Promise<void> {
  await createPrincipals(db);
  await createRolesAndGroups(db);
  await createCredentials(db);
  await createMailboxes(db);
  await createAnsweredRequests(db);
}

async function createPrincipals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('principal')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('login', 'text', (c) => c.unique())
    .addColumn('display_name', 'text', (c) => c.notNull())
    .addColumn('search_text', 'text', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('password_change_required', 'integer', (c) => c.notNull())
    .addColumn('temporary_until', 'text')
    .addColumn('totp_secret', 'text')
    .addColumn('totp_pending', 'text')
    .addColumn('totp_last_step', 'integer')
    .addColumn('passkeys_since', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('principal_by_name').on('principal').columns(['display_name', 'id']).execute();
  await db.schema
    .createIndex('principal_of_kind')
    .on('principal')
    .columns(['kind', 'display_name', 'id'])
    .execute();
  await db.schema
    .createTable('recovery_code')
    .addColumn('principal_id', 'text', (c) => c.notNull().references('principal.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', (c) => c.notNull())
    .addColumn('used_at', 'text')
    .addPrimaryKeyConstraint('recovery_code_key', ['principal_id', 'code_hash'])
    .execute();
  await db.schema
    .createTable('policy')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull())
    .execute();
}

async function createRolesAndGroups(db: Kysely<unknown>): Promise<void> {
  for (const table of ['role', 'principal_group'] as const) {
    let builder = db.schema
      .createTable(table)
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull().unique())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('enabled', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull());
    if (table === 'role') {
      builder = builder
        .addColumn('built_in', 'integer', (c) => c.notNull())
        .addColumn('hidden', 'integer', (c) => c.notNull())
        .addColumn('requires_two_factor', 'integer', (c) => c.notNull());
    }
    await builder.execute();
  }
  await db.schema
    .createTable('role_permission')
    .addColumn('role_id', 'text', (c) => c.notNull().references('role.id').onDelete('cascade'))
    .addColumn('permission', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('role_permission_key', ['role_id', 'permission'])
    .execute();
  await db.schema
    .createTable('group_member')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('group_id', 'text', (c) => c.notNull().references('principal_group.id').onDelete('cascade'))
    .addColumn('principal_id', 'text', (c) => c.notNull().references('principal.id').onDelete('cascade'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('group_member_once', ['principal_id', 'group_id'])
    .execute();
  await db.schema
    .createTable('assignment')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('subject_kind', 'text', (c) => c.notNull())
    .addColumn('subject_id', 'text', (c) => c.notNull())
    .addColumn('role_id', 'text', (c) => c.notNull().references('role.id').onDelete('cascade'))
    .addColumn('resource_id', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('assignment_once', ['subject_id', 'role_id', 'resource_id'])
    .execute();
  await createListIndexes(db);
}

async function createListIndexes(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('group_member_of_group').on('group_member').column('group_id').execute();
  const listed = ['hidden', 'built_in desc', 'name'];
  await db.schema.createIndex('role_listed').on('role').columns(listed).execute();
  const newest = ['created_at', 'id'];
  await db.schema.createIndex('assignment_newest').on('assignment').columns(newest).execute();
  for (const column of ['role_id', 'resource_id'])
    await db.schema
      .createIndex(`assignment_of_${column}`)
      .on('assignment')
      .columns([column, ...newest])
      .execute();
}

async function createCredentials(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_key')
    .addColumn('key_id', 'text', (c) => c.primaryKey())
    .addColumn('principal_id', 'text', (c) => c.notNull().references('principal.id'))
    .addColumn('name', 'text')
    .addColumn('note', 'text')
    .addColumn('owner', 'text')
    .addColumn('made_by', 'text')
    .addColumn('made_by_name', 'text', (c) => c.notNull())
    .addColumn('maker_left_at', 'text', (c) => c.notNull())
    .addColumn('secret_hash', 'text', (c) => c.notNull())
    .addColumn('hash_kind', 'text', (c) => c.notNull())
    .addColumn('ceiling', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('test', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('last_used_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute();
  await db.schema
    .createTable('session')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('page_token_hash', 'text')
    .addColumn('principal_id', 'text', (c) => c.notNull().references('principal.id'))
    .addColumn('source_kind', 'text', (c) => c.notNull())
    .addColumn('source_key_id', 'text')
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('known_browser_id', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('revoked_at', 'text')
    .execute();
  await db.schema
    .createIndex('session_of_principal')
    .on('session')
    .columns(['principal_id', 'created_at', 'id'])
    .execute();
  await db.schema.createIndex('session_by_age').on('session').columns(['created_at', 'id']).execute();
  await db.schema.createIndex('session_of_key').on('session').column('source_key_id').execute();
  await db.schema.createIndex('api_key_of_principal').on('api_key').column('principal_id').execute();
  const listed = ['maker_left_at', 'created_at', 'key_id'];
  await db.schema.createIndex('api_key_listed').on('api_key').columns(listed).execute();
  await db.schema.createIndex('api_key_of_maker').on('api_key').column('made_by').execute();
  await createSignIns(db);
  await createPasskeys(db);
}

async function createPasskeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkey')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('principal_id', 'text', (c) => c.notNull().references('principal.id').onDelete('cascade'))
    .addColumn('credential_id', 'text', (c) => c.notNull().unique())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('transports', 'text', (c) => c.notNull())
    .addColumn('rp_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text')
    .execute();
  await db.schema
    .createIndex('passkey_of_principal')
    .on('passkey')
    .columns(['principal_id', 'created_at', 'id'])
    .execute();
  await db.schema
    .createTable('passkey_challenge')
    .addColumn('owner', 'text', (c) => c.primaryKey())
    .addColumn('challenge', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('passkey_challenge_by_end')
    .on('passkey_challenge')
    .column('expires_at')
    .execute();
}

async function createSignIns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('known_browser')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('principal_id', 'text', (c) => c.notNull().references('principal.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text', (c) => c.notNull())
    .addColumn('proved_at', 'text', (c) => c.notNull())
    .addColumn('wrong_pins', 'integer', (c) => c.notNull())
    .addUniqueConstraint('known_browser_once', ['principal_id', 'token_hash'])
    .execute();
  await db.schema.createIndex('known_browser_by_token').on('known_browser').column('token_hash').execute();
  await db.schema
    .createTable('quick_sign_in')
    .addColumn('principal_id', 'text', (c) => c.primaryKey().references('principal.id').onDelete('cascade'))
    .addColumn('pin_hash', 'text')
    .addColumn('card_hash', 'text')
    .execute();
  await db.schema
    .createTable('pending_sign_in')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('principal_id', 'text', (c) => c.notNull().references('principal.id').onDelete('cascade'))
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('last_at', 'text', (c) => c.notNull())
    .addColumn('last_address', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('pending_sign_in_of_principal')
    .on('pending_sign_in')
    .column('principal_id')
    .execute();
  await db.schema
    .createTable('password_notice')
    .addColumn('principal_id', 'text', (c) => c.primaryKey().references('principal.id').onDelete('cascade'))
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('last_at', 'text', (c) => c.notNull())
    .addColumn('last_address', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('sign_in_limit')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('tokens', 'double precision', (c) => c.notNull())
    .addColumn('updated_ms', 'bigint', (c) => c.notNull())
    .addColumn('full_ms', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('sign_in_limit_by_end').on('sign_in_limit').column('full_ms').execute();
}

async function createMailboxes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mailbox')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('label', 'text', (c) => c.notNull().unique())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('cover_id', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('inbound_rule')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('to_number', 'text', (c) => c.notNull().unique())
    .addColumn('mailbox_id', 'text', (c) => c.notNull().references('mailbox.id'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('inbound_rule_of_mailbox')
    .on('inbound_rule')
    .columns(['mailbox_id', 'to_number'])
    .execute();
}

async function createAnsweredRequests(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('answered_request')
    .addColumn('caller_id', 'text', (c) => c.notNull())
    .addColumn('request_key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('answer', 'text')
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('answered_request_once', ['caller_id', 'request_key'])
    .execute();
  await db.schema
    .createIndex('answered_request_by_end')
    .on('answered_request')
    .column('expires_at')
    .execute();
}
