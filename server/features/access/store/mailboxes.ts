import type { ReadDb, WriteTx } from '../../../db/database.ts';
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

/** Every mailbox by id, also those that are switched off. */
export async function mailboxLabels(db: ReadDb): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('mailbox').select(['id', 'label']).orderBy('label').execute();
  return new Map(rows.map(({ id, label }) => [id, label]));
}

export async function insertMailbox(tx: WriteTx, row: MailboxTable): Promise<void> {
  await tx.insertInto('mailbox').values(row).execute();
}

export async function insertInboundRule(tx: WriteTx, row: InboundRuleTable): Promise<void> {
  await tx.insertInto('inbound_rule').values(row).execute();
}
