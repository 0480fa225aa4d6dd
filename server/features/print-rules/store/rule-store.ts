import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { PrintRuleRow } from '../types.ts';

export async function insertPrintRule(tx: WriteTx, row: PrintRuleRow): Promise<void> {
  await tx.insertInto('print_rule').values(row).execute();
}

export async function findPrintRule(db: ReadDb, id: string): Promise<PrintRuleRow | undefined> {
  return db.selectFrom('print_rule').selectAll().where('id', '=', id).executeTakeFirst();
}

/** By name. */
export async function listPrintRules(db: ReadDb): Promise<PrintRuleRow[]> {
  return db.selectFrom('print_rule').selectAll().orderBy('name').orderBy('id').execute();
}

/** Returns the enabled rules for faxes of a mailbox, or of none, oldest first. */
export async function matchingPrintRules(db: ReadDb, mailboxId: string | null): Promise<PrintRuleRow[]> {
  const enabled = db.selectFrom('print_rule').selectAll().where('enabled', '=', 1);
  const matching =
    mailboxId === null
      ? enabled.where('mailbox_id', 'is', null)
      : enabled.where((eb) => eb.or([eb('mailbox_id', 'is', null), eb('mailbox_id', '=', mailboxId)]));
  return matching.orderBy('created_at').orderBy('id').execute();
}

/** Guarded by the version: null when another change came first. */
export async function changePrintRule(
  tx: WriteTx,
  rule: Pick<PrintRuleRow, 'id' | 'version'>,
  changes: Partial<Omit<PrintRuleRow, 'id' | 'version' | 'created_at'>> & { updated_at: string },
): Promise<PrintRuleRow | null> {
  const changed = await tx
    .updateTable('print_rule')
    .set({ ...changes, version: rule.version + 1 })
    .where('id', '=', rule.id)
    .where('version', '=', rule.version)
    .returningAll()
    .executeTakeFirst();
  return changed ?? null;
}

/** Guarded by the version: false when another change came first. */
export async function deletePrintRule(
  tx: WriteTx,
  { id, version }: Pick<PrintRuleRow, 'id' | 'version'>,
): Promise<boolean> {
  const result = await tx
    .deleteFrom('print_rule')
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return Number(result.numDeletedRows) === 1;
}
