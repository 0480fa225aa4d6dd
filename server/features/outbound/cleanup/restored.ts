import type { FaxHistoryKind } from '../../../../shared/history-kinds.ts';
import type { WriteTx } from '../../../db/database.ts';
import { dispatchJob, waitJob } from '../dispatch/queued.ts';
import { changeAttempt, newestAttempt } from '../store/attempt-store.ts';
import { addHistory } from '../store/history-store.ts';
import { moveJob } from '../store/job-store.ts';
import { jobsInStates, markHeldMode, removeWork } from '../store/restored-store.ts';
import { type JobRow, SYSTEM } from '../types.ts';

export interface RestoredFaxes {
  /** Were about to be sent and wait for a person now. */
  readonly held: number;
  /** Were being handed to a provider; a person decides. */
  readonly doubtful: number;
}

const HELD = 'Held after a restore: it may have been sent after the backup was made.';
const STILL_HELD = 'Restored from a backup: it may have been released and sent after the backup was made.';
const DOUBTFUL =
  'The backup was made while the fax was being handed to the provider. Ask the receiver, then decide.';

/**
 * Makes the faxes of a backup safe: none leaves by itself, because what happened between the backup and the restore is
 * not known. `at` is an ISO time.
 */
export async function settleRestored(tx: WriteTx, at: string): Promise<RestoredFaxes> {
  const waiting = await jobsInStates(tx, ['held']);
  const leaving = await jobsInStates(tx, ['ready', 'preparing']);
  const submitting = await jobsInStates(tx, ['submitting']);
  for (const job of waiting) await addLine(tx, job, { kind: 'held', at, text: STILL_HELD });
  for (const job of leaving) await hold(tx, job, at);
  for (const job of submitting) await doubt(tx, job, at);
  await removeWork(tx, dispatchJob.kind);
  await removeWork(tx, waitJob.kind);
  return { held: leaving.length, doubtful: submitting.length };
}

async function hold(tx: WriteTx, job: JobRow, at: string): Promise<void> {
  const ready = job.delivery_state === 'preparing' ? await moveJob(tx, job, 'ready', { at }) : job;
  const held = ready && (await moveJob(tx, ready, 'held', { at }));
  if (!held) throw new Error('a fax changed while it was restored');
  await markHeldMode(tx, job.id);
  await addLine(tx, job, { kind: 'held', at, text: HELD });
}

async function doubt(tx: WriteTx, job: JobRow, at: string): Promise<void> {
  const moved = await moveJob(tx, job, 'reconciliation_required', { at, reconciliation_reason: DOUBTFUL });
  if (!moved) throw new Error('a fax changed while it was restored');
  const attempt = await newestAttempt(tx, job.id);
  if (attempt) await changeAttempt(tx, attempt.id, { phase: 'uncertain', error_category: 'worker_lost' });
  await addLine(tx, job, { kind: 'reconciliation_required', at, text: DOUBTFUL });
}

async function addLine(
  tx: WriteTx,
  job: JobRow,
  line: { kind: FaxHistoryKind; at: string; text: string },
): Promise<void> {
  const { kind, at, text } = line;
  await addHistory(tx, job.id, { kind, occurred_at: at, actor: SYSTEM.name, text });
}
