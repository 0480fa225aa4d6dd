import type { WriteTx } from '../../../db/database.ts';
import { removeWork } from '../../../jobs/job-store.ts';
import { deadlineJob, dispatchJob, tryAgainJob, waitJob } from '../queue/queued.ts';
import { writeChange } from '../record/record.ts';
import { endPlan, newestAttempt } from '../store/attempt-store.ts';
import { forgetCalls } from '../store/call-store.ts';
import { jobsInStates, markHeldMode } from '../store/restored-store.ts';
import type { Fact } from '../transition/fact.ts';
import { transition } from '../transition/transition.ts';
import { type JobRow, SYSTEM } from '../types.ts';

export interface RestoredFaxes {
  /** Were about to be sent and wait for a person now. */
  readonly held: number;
  /** Were going out; a person decides. */
  readonly unconfirmed: number;
}

/**
 * Texts for faxes after a restore, by what the store was restored from. Each text names the moment after which the
 * store has no records.
 */
const WORDS = {
  backup: {
    held: 'Held after a restore: it may have been sent after the backup was made.',
    stillHeld: 'Restored from a backup: it may have been released and sent after the backup was made.',
    unconfirmed: 'The backup was made while the fax was being sent. Check with the recipient, then decide.',
  },
  copy: {
    held: 'Held after a start with another database: it may have been sent after that database was copied.',
    stillHeld:
      'Started with another database: it may have been released and sent after that database was copied.',
    unconfirmed:
      'The database was copied while the fax was being sent. Check with the recipient, then decide.',
  },
} as const;

/**
 * Makes the faxes of a backup, or of an older copy of the store, safe: none leaves automatically, because the store has
 * no record of later events. `at` is an ISO time.
 */
export async function settleRestored(
  tx: WriteTx,
  at: string,
  from: keyof typeof WORDS = 'backup',
): Promise<RestoredFaxes> {
  const words = WORDS[from];
  const waiting = await jobsInStates(tx, ['held']);
  const leaving = await jobsInStates(tx, ['ready', 'preparing']);
  const submitting = await jobsInStates(tx, ['submitting']);
  for (const job of waiting) await settle(tx, job, { kind: 'held', text: words.stillHeld }, at);
  for (const job of leaving) {
    await settle(tx, job, { kind: 'held', text: words.held }, at);
    await markHeldMode(tx, job.id);
  }
  for (const job of submitting)
    await settle(tx, job, { kind: 'unknown', reason: words.unconfirmed, category: 'worker_lost' }, at);
  await endPlans(tx, await jobsInStates(tx, ['in_progress']));
  await removeWork(tx, dispatchJob.kind);
  await removeWork(tx, waitJob.kind);
  // A fax may have been sent since: it is not reported as unsent.
  await removeWork(tx, deadlineJob.kind);
  await removeWork(tx, tryAgainJob.kind);
  await forgetCalls(tx, at);
  return { held: leaving.length, unconfirmed: submitting.length };
}

/**
 * Keeps these faxes on their current attempt. Their outcome is still polled, but they are not sent by another route or
 * again: they may have been sent since.
 */
async function endPlans(tx: WriteTx, jobs: readonly JobRow[]): Promise<void> {
  for (const { id } of jobs) {
    const attempt = await newestAttempt(tx, id);
    if (attempt) await endPlan(tx, attempt.id);
  }
}

/** The work that was planned is removed for all of them together. */
async function settle(tx: WriteTx, job: JobRow, fact: Fact, at: string): Promise<void> {
  const fax = { job, attempt: (await newestAttempt(tx, job.id)) ?? null };
  const change = transition(fax, fact, at);
  if (!change || !(await writeChange(tx, fax, change, { at, actor: SYSTEM })))
    throw new Error('a fax changed while it was restored');
}
