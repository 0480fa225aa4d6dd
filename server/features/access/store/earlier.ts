import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { InboundRuleTable, MailboxTable } from '../../../db/schema/access.ts';

/** Returns those of the ids that a mailbox has. */
export async function knownMailboxes(db: ReadDb, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('mailbox').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Returns every mailbox by its label. */
export async function mailboxesByLabel(db: ReadDb): Promise<Map<string, string>> {
  const rows = await db.selectFrom('mailbox').select(['id', 'label']).execute();
  return new Map(rows.map(({ id, label }) => [label, id]));
}

/** Returns the mailbox of every number that has a rule, by number. */
export async function mailboxesByNumber(db: ReadDb): Promise<Map<string, string>> {
  const rows = await db.selectFrom('inbound_rule').select(['to_number', 'mailbox_id']).execute();
  return new Map(rows.map(({ to_number, mailbox_id }) => [to_number, mailbox_id]));
}

/** Returns those of the key ids that a key has. */
export async function knownKeys(db: ReadDb, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('api_key').select('key_id').where('key_id', 'in', ids).execute();
  return new Set(rows.map(({ key_id }) => key_id));
}

export async function insertMailboxes(tx: WriteTx, rows: readonly MailboxTable[]): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('mailbox')
      .values([...rows])
      .execute();
}

export async function insertRules(tx: WriteTx, rows: readonly InboundRuleTable[]): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('inbound_rule')
      .values([...rows])
      .execute();
}
