import type { z } from 'zod';
import type { Printout } from '../../../shared/api/print-rules.ts';
import { PRINT_STATES, type PrintState } from '../../../shared/states/print-rules.ts';
import type { Caller } from '../access/service.ts';
import { mayReceiveFaxEvents } from '../inbound/service.ts';
import type { PrintParts } from './parts.ts';
import { countPrintouts, listPrintouts, type PrintoutFilter } from './store/printout-store.ts';
import type { PrintoutRow } from './types.ts';

export type PrintoutAnswer = z.infer<typeof Printout>;

/** Newest first, with how many there are in every state. */
export async function listForCaller(parts: PrintParts, caller: Caller, filter: PrintoutFilter) {
  const page = await listPrintouts(parts.db.read, filter);
  return { ...page, items: await presentPrintouts(parts, caller, page.items), counts: await countsOf(parts) };
}

export async function countsOf({ db }: Pick<PrintParts, 'db'>): Promise<Record<PrintState, number>> {
  const none = Object.fromEntries(PRINT_STATES.map((state) => [state, 0])) as Record<PrintState, number>;
  for (const { state, printouts } of await countPrintouts(db.read)) none[state] = printouts;
  return none;
}

/** Includes the facts of the fax only for callers who may see it. */
export async function presentPrintouts(
  { contacts }: Pick<PrintParts, 'contacts'>,
  caller: Caller,
  rows: readonly PrintoutRow[],
): Promise<PrintoutAnswer[]> {
  const known = rows.filter((row) => maySeeFax(caller, row));
  const names = await contacts.namesOf(
    caller,
    known.flatMap(({ from_number }) => from_number ?? []),
  );
  return rows.map((row) => {
    const { id, fax_id, rule_id, rule_name, printer, state, problem, failures } = row;
    const { retry_at, submitted_at, printed_at, version, recorded_at, updated_at } = row;
    const { from_number, to_number, pages } = row;
    const contact = names.get(from_number ?? '') ?? null;
    return {
      id,
      fax_id,
      fax: maySeeFax(caller, row) ? { from_number, contact, to_number, pages, filed_at: recorded_at } : null,
      rule: { id: rule_id, name: rule_name },
      printer,
      state,
      sentence: problem,
      failures,
      retry_at,
      submitted_at,
      printed_at,
      version,
      recorded_at,
      updated_at,
    };
  });
}

const maySeeFax = (caller: Caller, { fax_id: id, mailbox_id }: PrintoutRow) =>
  // A fax of a test key is never printed.
  mayReceiveFaxEvents(caller, { id, mailbox_id, test: 0 });
