import { IMPORT_BACKEND } from '../../../shared/backends.ts';
import type { WriteTx } from '../../db/database.ts';
import { newId } from '../../platform/ids.ts';
import type { FiledHandler } from '../inbound/port.ts';
import type { FiledFax } from '../inbound/types.ts';
import { change } from './change.ts';
import type { PrintParts } from './parts.ts';
import { printNow } from './print-queue.ts';
import { CANCELED } from './sentences.ts';
import { insertPrintout, printoutsOfFax } from './store/printout-store.ts';
import { matchingPrintRules } from './store/rule-store.ts';
import type { PrintoutRow, PrintRuleRow } from './types.ts';

type CreateParts = Pick<PrintParts, 'db' | 'clock' | 'queue' | 'events'>;

/**
 * Creates a printout of every filed document for each matching rule, in the transaction that files it. A fax from a blocked
 * sender is printed when a person takes it out of Junk. Faxes of test keys and imported ones are never printed: importing an
 * archive would otherwise print all of it.
 */
export function printoutsPerDocument(parts: CreateParts): FiledHandler {
  const print = async (tx: WriteTx, fax: FiledFax) => {
    if (fax.isOfTestKey || fax.backend === IMPORT_BACKEND) return;
    for (const rule of await matchingPrintRules(tx, fax.mailboxId))
      await createPrintout(parts, tx, fax, rule);
  };
  return {
    async onFiled(tx, fax) {
      if (!fax.isJunk) await print(tx, fax);
    },
    // One that waited when its fax was moved to Junk waits again; none is printed a second time.
    async onReturned(tx, { fax, isDocumentKept }) {
      if (!isDocumentKept) return;
      for (const printout of await printoutsOfFax(tx, fax.id))
        if (printout.state === 'canceled' && printout.problem === CANCELED.junk) {
          await change(parts, tx, printout, { state: 'waiting', problem: null, failures: 0, retry_at: null });
          await printNow(parts, tx, printout.id);
        }
      await print(tx, fax);
    },
    async onMoved(tx, { id, mailboxId }) {
      for (const printout of await printoutsOfFax(tx, id))
        await change(parts, tx, printout, { mailbox_id: mailboxId });
    },
    async onJunked(tx, { id }) {
      for (const printout of await printoutsOfFax(tx, id))
        if (printout.state === 'waiting')
          await change(parts, tx, printout, { state: 'canceled', problem: CANCELED.junk, retry_at: null });
    },
  };
}

async function createPrintout(
  parts: CreateParts,
  tx: WriteTx,
  fax: FiledFax,
  rule: PrintRuleRow,
): Promise<void> {
  const id = newId();
  const row: PrintoutRow = {
    id,
    fax_id: fax.id,
    rule_id: rule.id,
    rule_name: rule.name,
    printer: rule.printer,
    printer_url: null,
    state: 'waiting',
    version: 1,
    problem: null,
    failures: 0,
    retry_at: null,
    job_name: `Faxdesk ${id}`,
    printer_job: null,
    mailbox_id: fax.mailboxId,
    from_number: fax.fromNumber,
    to_number: fax.toNumber,
    pages: fax.document.pages,
    is_test: fax.isTest ? 1 : 0,
    submitted_at: null,
    printer_up_time: null,
    printed_at: null,
    recorded_at: fax.filedAt,
    updated_at: fax.filedAt,
  };
  if (!(await insertPrintout(tx, row))) return;
  await printNow(parts, tx, id);
  const { version, fax_id, mailbox_id } = row;
  parts.db.onCommit(tx, () => parts.events.publish('printout.changed', { id, version, fax_id, mailbox_id }));
}
