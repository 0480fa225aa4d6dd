import type { AuditOperation } from '../../../shared/audit-operations.ts';
import type { PrintDecision, PrintState } from '../../../shared/states/print-rules.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { change } from './change.ts';
import { notRetried, settled, stale } from './errors.ts';
import type { PrintParts } from './parts.ts';
import { printNow } from './print-queue.ts';
import { CANCELED } from './sentences.ts';
import { findPrintout } from './store/printout-store.ts';
import type { PrintoutRow } from './types.ts';
import { assertMayDecide } from './visibility.ts';

const NOT_RETRIED: Partial<Record<PrintState, string>> = {
  submitting: 'The fax is being sent to the printer now.',
  accepted: 'The printer has the fax already.',
  printed: 'The fax was printed. It is not printed a second time.',
  given: 'The fax was given to the printer. It is not printed a second time.',
  doubtful: 'The fax may have been printed. First confirm whether it was.',
};

/** States in which a person can decide. */
const OPEN: Readonly<Record<PrintDecision, readonly PrintState[]>> = {
  printed: ['doubtful', 'failed'],
  print_again: ['doubtful', 'failed'],
  do_not_print: ['doubtful', 'failed', 'waiting'],
};

const BEGUN = { state: 'waiting', problem: null, failures: 0, retry_at: null } as const;

/** Prints a failed or canceled fax, and a waiting one now. Throws 403, 404, and 409 for every other. */
export async function retry(parts: PrintParts, caller: Caller, id: string): Promise<PrintoutRow> {
  return parts.db.transaction(async (tx) => {
    const printout = assertMayDecide(caller, await findPrintout(tx, id));
    const refused = NOT_RETRIED[printout.state];
    if (refused !== undefined) throw notRetried(refused);
    const changed = await printAgain(parts, tx, printout);
    await recordDecision(parts, tx, caller, { operation: 'printout.retry', id });
    return changed;
  });
}

/** Decision of a person about a printout, with the version they saw. */
export interface Confirmation {
  readonly id: string;
  readonly version: number;
  readonly outcome: PrintDecision;
}

/**
 * Records a person's decision. Throws 403, 404, and 409 when there is nothing to decide or the printout changed since they saw
 * it.
 */
export async function confirm(
  parts: PrintParts,
  caller: Caller,
  { id, version, outcome }: Confirmation,
): Promise<PrintoutRow> {
  return parts.db.transaction(async (tx) => {
    const printout = assertMayDecide(caller, await findPrintout(tx, id));
    if (!OPEN[outcome].includes(printout.state)) throw settled();
    if (printout.version !== version) throw stale();
    await recordDecision(parts, tx, caller, { operation: 'printout.confirm', id, details: { outcome } });
    const { name } = actorOf(caller);
    if (outcome === 'print_again') return printAgain(parts, tx, printout);
    if (outcome === 'do_not_print')
      return change(parts, tx, printout, {
        state: 'canceled',
        problem: CANCELED.byPerson(name),
        retry_at: null,
      });
    return change(parts, tx, printout, {
      state: 'printed',
      problem: `${name} confirmed that it was printed.`,
      retry_at: null,
      printed_at: isoTime(parts.clock.now()),
    });
  });
}

async function printAgain(parts: PrintParts, tx: WriteTx, printout: PrintoutRow): Promise<PrintoutRow> {
  const changed = await change(parts, tx, printout, BEGUN);
  await printNow(parts, tx, printout.id);
  return changed;
}

async function recordDecision(
  { audit }: PrintParts,
  tx: WriteTx,
  caller: Caller,
  done: { operation: AuditOperation; id: string; details?: Record<string, unknown> },
): Promise<void> {
  const { operation, id, details = {} } = done;
  const target = { kind: 'printout', id };
  await audit.record(tx, { ...recordedActor(actorOf(caller)), operation, target, outcome: 'done', details });
}
