import type { WriteTx } from '../../../db/database.ts';
import { removeWork } from '../../../jobs/job-store.ts';
import { dispatchJob, waitJob } from '../dispatch/queued.ts';
import { newestAttempt } from '../store/attempt-store.ts';
import { jobsInStates, markHeldMode } from '../store/restored-store.ts';
import type { Fact } from '../transition/fact.ts';
import { writeChange } from '../transition/record.ts';
import { transition } from '../transition/transition.ts';
import { type JobRow, SYSTEM } from '../types.ts';

export interface RestoredFaxes {
  /** Were about to be sent and wait for a person now. */
  readonly held: number;
  /** Were being handed to a provider; a person decides. */
  readonly unconfirmed: number;
}

const HELD = 'Held after a restore: it may have been sent after the backup was made.';
const STILL_HELD = 'Restored from a backup: it may have been released and sent after the backup was made.';
const UNCONFIRMED =
  'The backup was made while the fax was being submitted to the provider. Check with the recipient, then decide.';

/**
 * Makes the faxes of a backup safe: none leaves by itself, because what happened between the backup and the restore is
 * not known. `at` is an ISO time.
 */
export async function settleRestored(tx: WriteTx, at: string): Promise<RestoredFaxes> {
  const waiting = await jobsInStates(tx, ['held']);
  const leaving = await jobsInStates(tx, ['ready', 'preparing']);
  const submitting = await jobsInStates(tx, ['submitting']);
  for (const job of waiting) await settle(tx, job, { kind: 'held', text: STILL_HELD }, at);
  for (const job of leaving) {
    await settle(tx, job, { kind: 'held', text: HELD }, at);
    await markHeldMode(tx, job.id);
  }
  for (const job of submitting)
    await settle(tx, job, { kind: 'unknown', reason: UNCONFIRMED, category: 'worker_lost' }, at);
  await removeWork(tx, dispatchJob.kind);
  await removeWork(tx, waitJob.kind);
  return { held: leaving.length, unconfirmed: submitting.length };
}

/** The work that was planned is removed for all of them together. */
async function settle(tx: WriteTx, job: JobRow, fact: Fact, at: string): Promise<void> {
  const fax = { job, attempt: (await newestAttempt(tx, job.id)) ?? null };
  const change = transition(fax, fact, at);
  if (!change || !(await writeChange(tx, fax, change, { at, actor: SYSTEM })))
    throw new Error('a fax changed while it was restored');
}
