import type { z } from 'zod';
import type { Printout } from '../../../shared/api/print-rules.ts';
import { PRINT_STATES, type PrintState } from '../../../shared/states/print-rules.ts';
import type { Caller } from '../access/service.ts';
import type { PrintParts } from './parts.ts';
import { countPrintouts, listPrintouts, type PrintoutFilter } from './store/printout-store.ts';
import type { PrintoutRow, Scope } from './types.ts';
import { visiblePrintouts } from './visibility.ts';

export type PrintoutAnswer = z.infer<typeof Printout>;

/** Newest first, with how many there are in every state. */
export async function listForCaller(parts: PrintParts, caller: Caller, filter: PrintoutFilter) {
  const scope = visiblePrintouts(caller);
  const page = await listPrintouts(parts.db.read, scope, filter);
  const counts = await countsOf(parts, scope);
  return { ...page, items: await presentPrintouts(parts, caller, page.items), counts };
}

/** Counts the printouts by state, those of a scope or all. */
export async function countsOf(
  { db }: Pick<PrintParts, 'db'>,
  scope?: Scope,
): Promise<Record<PrintState, number>> {
  const none = Object.fromEntries(PRINT_STATES.map((state) => [state, 0])) as Record<PrintState, number>;
  for (const { state, printouts } of await countPrintouts(db.read, scope)) none[state] = printouts;
  return none;
}

/** Describes printouts for a caller who may see them. */
export async function presentPrintouts(
  { contacts }: Pick<PrintParts, 'contacts'>,
  caller: Caller,
  rows: readonly PrintoutRow[],
): Promise<PrintoutAnswer[]> {
  const names = await contacts.namesOf(
    caller,
    rows.flatMap(({ from_number }) => from_number ?? []),
  );
  return rows.map((row) => {
    const { id, fax_id, rule_id, rule_name, printer, state, problem, failures } = row;
    const { retry_at, submitted_at, printed_at, version, recorded_at, updated_at } = row;
    const { from_number, to_number, pages } = row;
    const contact = names.get(from_number ?? '') ?? null;
    return {
      id,
      fax_id,
      fax: { from_number, contact, to_number, pages, filed_at: recorded_at },
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
