import type { ReadDb, WriteTx } from '../../db/database.ts';
import { removeWork } from '../../jobs/job-store.ts';
import { printJob } from './print-queue.ts';
import { DOUBT } from './sentences.ts';
import { changePrintout, countPrintouts, printoutsInStates } from './store/printout-store.ts';

const SENTENCE = { backup: DOUBT.restored, copy: DOUBT.copied } as const;

/**
 * Makes the printouts of a backup, or of an older copy of the store, safe: none is printed automatically, because it may have
 * been printed since. `at` is an ISO time. Returns the number of printouts that now wait for a person.
 */
export async function settleRestoredPrints(
  tx: WriteTx,
  at: string,
  from: keyof typeof SENTENCE = 'backup',
): Promise<number> {
  const printouts = await printoutsInStates(tx, ['waiting', 'submitting', 'accepted']);
  for (const printout of printouts)
    await changePrintout(tx, printout, {
      state: 'doubtful',
      problem: SENTENCE[from],
      retry_at: null,
      updated_at: at,
    });
  await removeWork(tx, printJob.kind);
  return printouts.length;
}

/** Printouts by state, read without a gateway. */
export async function countPrints(db: ReadDb): Promise<Record<string, number>> {
  return Object.fromEntries((await countPrintouts(db)).map(({ state, printouts }) => [state, printouts]));
}
