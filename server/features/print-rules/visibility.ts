import { type Caller, visibleTo } from '../access/service.ts';
import { mayOpenDocument, mayReadFax } from '../inbound/service.ts';
import { noSuchPrintout, notAllowed } from './errors.ts';
import type { PrintoutRow, Scope } from './types.ts';

type PrintedFax = Pick<PrintoutRow, 'fax_id' | 'mailbox_id'>;

/** Returns the scope of the printouts that the caller may see. A test key sees none: its faxes are never printed. */
export function visiblePrintouts(caller: Caller): Scope {
  if (caller.isTest) return { everything: false, mailboxIds: [], documentIds: [] };
  return visibleTo(caller, 'inbound:read');
}

/** Returns true for a caller who may read the printed fax. */
export function maySeePrintout(caller: Caller, printout: PrintedFax): boolean {
  return mayReadFax(caller, printedFax(printout));
}

/**
 * Returns a printout that the caller may decide about, as they may open its document and so print it themselves. Throws 404
 * for one that they may not see, and 403 for one that they may see only.
 */
export function assertMayDecide(caller: Caller, printout: PrintoutRow | undefined): PrintoutRow {
  if (!printout || !maySeePrintout(caller, printout)) throw noSuchPrintout();
  if (!mayOpenDocument(caller, printedFax(printout))) throw notAllowed();
  return printout;
}

// A fax of a test key is never printed.
const printedFax = ({ fax_id: id, mailbox_id }: PrintedFax) => ({ id, mailbox_id, test: 0 as const });
