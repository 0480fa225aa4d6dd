import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareQuery, type ValueOf } from '../../../db/prepared-query.ts';
import type { InboundRuleTable, MailboxTable } from '../../../db/schema/access.ts';

/** The mailbox that faxes to a number (E.164) are filed in, or null. Works inside a transaction. */
export async function mailboxFor(db: ReadDb, toNumber: string | null): Promise<string | null> {
  if (toNumber === null) return null;
  const row = await db
    .selectFrom('inbound_rule as r')
    .innerJoin('mailbox as m', 'm.id', 'r.mailbox_id')
    .select('m.id')
    .where('r.to_number', '=', toNumber)
    .where('m.enabled', '=', 1)
    .executeTakeFirst();
  return row?.id ?? null;
}

const rulesOfNumber = prepareQuery((db: ReadDb, value: ValueOf<{ toNumber: string }>) =>
  db.selectFrom('inbound_rule').select('id').where('to_number', '=', value('toNumber')),
);

/** Returns true when a number rule names a number (E.164), even where its mailbox is switched off. */
export async function hasRule(db: ReadDb, toNumber: string): Promise<boolean> {
  return (await rulesOfNumber(db, { toNumber })).length > 0;
}

/** Returns every mailbox by ID, or those of `ids`, including those that are switched off. */
export async function mailboxLabels(
  db: ReadDb,
  ids?: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  let query = db.selectFrom('mailbox').select(['id', 'label']).orderBy('label');
  if (ids?.length === 0) return new Map();
  if (ids) query = query.where('id', 'in', ids);
  return new Map((await query.execute()).map(({ id, label }) => [id, label]));
}

/** A mailbox by its two names. */
export type NamedMailbox = Pick<MailboxTable, 'id' | 'label'>;

/** Lists those of `ids` that are switched on, by label, at most `limit`; of all when `ids` is null. */
export async function enabledMailboxes(
  db: ReadDb,
  ids: readonly string[] | null,
  limit: number,
): Promise<NamedMailbox[]> {
  let query = db.selectFrom('mailbox').select(['id', 'label']).where('enabled', '=', 1);
  if (ids?.length === 0) return [];
  if (ids) query = query.where('id', 'in', ids);
  return query.orderBy('label').limit(limit).execute();
}

/** Finds the mailbox with this ID or label, while it is switched on. */
export async function enabledMailbox(db: ReadDb, name: string): Promise<NamedMailbox | null> {
  const rows = await db
    .selectFrom('mailbox')
    .select(['id', 'label'])
    .where((eb) => eb.or([eb('id', '=', name), eb('label', '=', name)]))
    .where('enabled', '=', 1)
    .execute();
  return rows.find(({ id }) => id === name) ?? rows[0] ?? null;
}

/** Returns the ID of the cover page of faxes sent for a mailbox; null for none. */
export async function coverOfMailbox(db: ReadDb, id: string): Promise<string | null> {
  const row = await db.selectFrom('mailbox').select('cover_id').where('id', '=', id).executeTakeFirst();
  return row?.cover_id ?? null;
}

/** Counts the mailboxes with this cover page. */
export async function countMailboxesWithCover(db: ReadDb, coverId: string): Promise<number> {
  const { n } = await db
    .selectFrom('mailbox')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('cover_id', '=', coverId)
    .executeTakeFirstOrThrow();
  return Number(n);
}

export async function insertMailbox(tx: WriteTx, row: MailboxTable): Promise<void> {
  await tx.insertInto('mailbox').values(row).execute();
}

export async function insertInboundRule(tx: WriteTx, row: InboundRuleTable): Promise<void> {
  await tx.insertInto('inbound_rule').values(row).execute();
}
