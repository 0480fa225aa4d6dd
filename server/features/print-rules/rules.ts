import type { z } from 'zod';
import type { PrintRule, PrintRuleIn } from '../../../shared/api/print-rules.ts';
import type { AuditOperation } from '../../../shared/audit-operations.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { assertMayOpen } from '../../platform/may-open.ts';
import { actorOf, type Caller, mailboxLabels } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { noSuchMailbox, noSuchPrintRule, printRuleRefused, stale } from './errors.ts';
import type { PrintParts } from './parts.ts';
import { printNow } from './print-queue.ts';
import { hoursOf } from './rule-hours.ts';
import { waitingOfRule } from './store/printout-store.ts';
import { changePrintRule, deletePrintRule, findPrintRule, insertPrintRule } from './store/rule-store.ts';
import type { PrintRuleRow } from './types.ts';

export type RuleAnswer = z.infer<typeof PrintRule>;
export type RuleFields = z.infer<typeof PrintRuleIn>;
/** Snapshot of a rule at the time it was read. */
export interface RuleRead {
  readonly id: string;
  readonly version: number;
}

/** Creates a rule. Throws 403, and 404 for a mailbox that does not exist. */
export async function createRule(
  parts: PrintParts,
  caller: Caller,
  fields: RuleFields,
): Promise<PrintRuleRow> {
  assertMayChangeRules(caller);
  const at = isoTime(parts.clock.now());
  const row: PrintRuleRow = { ...valuesOf(fields), id: newId(), version: 1, created_at: at, updated_at: at };
  return parts.db.transaction(async (tx) => {
    await assertMailbox(tx, row.mailbox_id);
    await insertPrintRule(tx, row);
    await recordRule(parts, tx, caller, { operation: 'print_rule.create', row });
    return row;
  });
}

/**
 * Replaces all fields of a rule. What waits follows it at once. Throws 400, 403, 404, and 409 for one that changed since it
 * was read.
 */
export async function changeRule(
  parts: PrintParts,
  caller: Caller,
  id: string,
  fields: RuleFields,
): Promise<PrintRuleRow> {
  assertMayChangeRules(caller);
  const values = valuesOf(fields);
  return parts.db.transaction(async (tx) => {
    const version = fields.version ?? null;
    if (version === null) throw printRuleRefused('The version of the print rule is missing. Read it again.');
    const before = await getRule(tx, { id, version });
    if (values.mailbox_id !== before.mailbox_id) await assertMailbox(tx, values.mailbox_id);
    const row = await changePrintRule(
      tx,
      { id, version },
      { ...values, updated_at: isoTime(parts.clock.now()) },
    );
    if (row === null) throw stale();
    for (const printoutId of await waitingOfRule(tx, id)) await printNow(parts, tx, printoutId);
    await recordRule(parts, tx, caller, { operation: 'print_rule.change', row });
    return row;
  });
}

/** Removes a rule and returns it as it was. Throws 403, 404, and 409 for one that changed since it was read. */
export async function removeRule(parts: PrintParts, caller: Caller, read: RuleRead): Promise<PrintRuleRow> {
  assertMayChangeRules(caller);
  return parts.db.transaction(async (tx) => {
    const row = await getRule(tx, read);
    if (!(await deletePrintRule(tx, read))) throw stale();
    for (const printoutId of await waitingOfRule(tx, read.id)) await printNow(parts, tx, printoutId);
    await recordRule(parts, tx, caller, { operation: 'print_rule.remove', row });
    return row;
  });
}

/** Returns rules with the names of their mailboxes. */
export async function presentRules(db: ReadDb, rows: readonly PrintRuleRow[]): Promise<RuleAnswer[]> {
  const ids = [...new Set(rows.flatMap(({ mailbox_id }) => mailbox_id ?? []))];
  const labels = ids.length === 0 ? new Map<string, string>() : await mailboxLabels(db, ids);
  return rows.map((row) => {
    const { mailbox_id, enabled, ...shown } = row;
    return {
      ...shown,
      mailbox: mailbox_id === null ? null : { id: mailbox_id, label: labels.get(mailbox_id) ?? null },
      hours: hoursOf(row),
      enabled: enabled === 1,
    };
  });
}

/** Throws 403 unless the caller may open all received documents: a rule gives them to everyone at the printer. */
function assertMayChangeRules(caller: Caller): void {
  assertMayOpen(caller, ['inbound:document'], 'To change a print rule');
}

function valuesOf({ name, printer, printer_url, mailbox_id, hours, enabled }: RuleFields) {
  return {
    name,
    printer,
    printer_url,
    mailbox_id: mailbox_id ?? null,
    hours: hours ? JSON.stringify(hours) : null,
    enabled: enabled ? (1 as const) : (0 as const),
  };
}

async function assertMailbox(tx: WriteTx, id: string | null): Promise<void> {
  if (id !== null && !(await mailboxLabels(tx, [id])).has(id)) throw noSuchMailbox();
}

async function getRule(tx: WriteTx, { id, version }: RuleRead): Promise<PrintRuleRow> {
  const row = await findPrintRule(tx, id);
  if (!row) throw noSuchPrintRule();
  if (row.version !== version) throw stale();
  return row;
}

async function recordRule(
  { audit }: PrintParts,
  tx: WriteTx,
  caller: Caller,
  { operation, row }: { operation: AuditOperation; row: Pick<PrintRuleRow, 'id' | 'name'> },
): Promise<void> {
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target: { kind: 'print_rule', id: row.id },
    outcome: 'done',
    details: { name: row.name },
  });
}
