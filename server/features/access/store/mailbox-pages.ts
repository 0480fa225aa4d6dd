import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { InboundRuleTable, MailboxTable } from '../../../db/schema/access.ts';
import type { PageRequest } from '../types.ts';

export interface StoredMailbox extends MailboxTable {
  /** E.164, in order. */
  numbers: readonly string[];
}

export interface StoredRule extends InboundRuleTable {
  label: string;
  mailbox_enabled: 0 | 1;
}

/** Lists mailboxes by label. Throws a 400 refusal on a wrong cursor. */
export async function listMailboxes(
  db: ReadDb,
  wanted: PageRequest,
): Promise<{ items: StoredMailbox[]; next_cursor: string | null }> {
  let query = db.selectFrom('mailbox').selectAll();
  if (wanted.cursor !== undefined) {
    const [label = ''] = decodeCursor(wanted.cursor, 1);
    query = query.where('label', '>', label);
  }
  const rows = await query
    .orderBy('label')
    .limit(wanted.limit + 1)
    .execute();
  const page = cutPage(rows, wanted.limit, (row) => [row.label]);
  return { ...page, items: await withNumbers(db, page.items) };
}

export async function findMailbox(db: ReadDb, id: string): Promise<StoredMailbox | null> {
  const row = await db.selectFrom('mailbox').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? ((await withNumbers(db, [row]))[0] ?? null) : null;
}

async function withNumbers(db: ReadDb, mailboxes: readonly MailboxTable[]): Promise<StoredMailbox[]> {
  if (mailboxes.length === 0) return [];
  const rules = await db
    .selectFrom('inbound_rule')
    .select(['mailbox_id', 'to_number'])
    .where(
      'mailbox_id',
      'in',
      mailboxes.map((mailbox) => mailbox.id),
    )
    .orderBy('to_number')
    .execute();
  const rulesOf = Map.groupBy(rules, (rule) => rule.mailbox_id);
  return mailboxes.map((mailbox) => ({
    ...mailbox,
    numbers: rulesOf.get(mailbox.id)?.map((rule) => rule.to_number) ?? [],
  }));
}

interface VersionedUpdate {
  readonly id: string;
  readonly version: number;
  readonly now: string;
}

/** Changes a mailbox and moves its version on. False when it changed since `version`. */
export async function updateMailbox(
  tx: WriteTx,
  { id, version, now }: VersionedUpdate,
  change: Pick<MailboxTable, 'label' | 'enabled' | 'cover_id'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('mailbox')
    .set({ ...change, version: version + 1, updated_at: now })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

function rules(db: ReadDb) {
  return db
    .selectFrom('inbound_rule as r')
    .innerJoin('mailbox as m', 'm.id', 'r.mailbox_id')
    .selectAll('r')
    .select(['m.label', 'm.enabled as mailbox_enabled']);
}

/** Lists rules by number. Throws a 400 refusal on a wrong cursor. */
export async function listRules(
  db: ReadDb,
  wanted: PageRequest & { readonly mailboxId?: string | undefined },
): Promise<{ items: StoredRule[]; next_cursor: string | null }> {
  let query = rules(db);
  if (wanted.mailboxId !== undefined) query = query.where('r.mailbox_id', '=', wanted.mailboxId);
  if (wanted.cursor !== undefined) {
    const [number = ''] = decodeCursor(wanted.cursor, 1);
    query = query.where('r.to_number', '>', number);
  }
  const rows = await query
    .orderBy('r.to_number')
    .limit(wanted.limit + 1)
    .execute();
  return cutPage(rows, wanted.limit, (row) => [row.to_number]);
}

export async function findRule(db: ReadDb, id: string): Promise<StoredRule | null> {
  return (await rules(db).where('r.id', '=', id).executeTakeFirst()) ?? null;
}

/** The rule of a number, or null. */
export async function ruleOfNumber(db: ReadDb, toNumber: string): Promise<string | null> {
  const query = db.selectFrom('inbound_rule').select('id').where('to_number', '=', toNumber);
  return (await query.executeTakeFirst())?.id ?? null;
}

/** Changes a rule and moves its version on. False when it changed since `version`. */
export async function updateRule(
  tx: WriteTx,
  { id, version, now }: VersionedUpdate,
  change: Pick<InboundRuleTable, 'to_number' | 'mailbox_id'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('inbound_rule')
    .set({ ...change, version: version + 1, updated_at: now })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** False when the rule is gone or changed since `version`. */
export async function deleteRule(tx: WriteTx, id: string, version: number): Promise<boolean> {
  const query = tx.deleteFrom('inbound_rule').where('id', '=', id).where('version', '=', version);
  return (await query.executeTakeFirst()).numDeletedRows === 1n;
}
