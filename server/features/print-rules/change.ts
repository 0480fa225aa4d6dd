import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import type { PrintParts } from './parts.ts';
import { changePrintout } from './store/printout-store.ts';
import type { PrintoutChanges, PrintoutRow } from './types.ts';

/**
 * Thrown when another change of the printout came between reading and writing. Its code is the one at which a transaction
 * is repeated.
 */
class PrintoutChangedError extends Error {
  override name = 'PrintoutChangedError';
  readonly code = '40001';
}

/** Writes a change and notifies consoles; nothing where it changes nothing. Throws PrintoutChangedError. */
export async function change(
  { db, clock, events }: Pick<PrintParts, 'db' | 'clock' | 'events'>,
  tx: WriteTx,
  printout: PrintoutRow,
  changes: PrintoutChanges,
): Promise<PrintoutRow> {
  const names = Object.keys(changes) as (keyof PrintoutChanges)[];
  if (names.every((name) => printout[name] === changes[name])) return printout;
  const changed = await changePrintout(tx, printout, { ...changes, updated_at: isoTime(clock.now()) });
  if (!changed) throw new PrintoutChangedError(`the printout ${printout.id} was changed meanwhile`);
  const { id, version, fax_id, mailbox_id } = changed;
  db.onCommit(tx, () => events.publish('printout.changed', { id, version, fax_id, mailbox_id }));
  return changed;
}
