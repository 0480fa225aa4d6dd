import { newId } from '../../../platform/ids.ts';
import { openStep } from '../accept/plan.ts';
import { nextStep } from '../attempt-state.ts';
import type { OutboundParts } from '../parts.ts';
import { newestAttempt } from '../store/attempt-store.ts';
import { record } from '../transition/record.ts';
import { type AttemptRow, type JobRow, type PlannedStep, SYSTEM } from '../types.ts';

/** A fax whose next step was taken on. */
export interface BegunFax {
  readonly job: JobRow;
  readonly attempt: AttemptRow;
  readonly step: PlannedStep;
}

/**
 * Moves a ready fax to `preparing` with the attempt of this step, counted from 1. An attempt from which nothing was sent goes on
 * under its number; null when somebody else was faster.
 */
export async function beginAttempt(
  parts: OutboundParts,
  job: JobRow,
  wanted: number,
): Promise<BegunFax | null> {
  return parts.db.transaction(async (tx) => {
    const newest = (await newestAttempt(tx, job.id)) ?? null;
    if (nextStep(newest) !== wanted) return null;
    const step = openStep(parts.seal, job, wanted);
    const goesOn = newest?.phase === 'preparing';
    const attempt = goesOn ? newest : newAttempt(job, step, newest);
    const fact = { kind: 'begun', attempt, isNew: !goesOn } as const;
    const begun = await record(parts, tx, { job, attempt: newest }, fact, SYSTEM);
    return begun && { job: begun.job, attempt, step };
  });
}

function newAttempt(job: JobRow, planned: PlannedStep, before: AttemptRow | null): AttemptRow {
  const id = newId();
  return {
    id,
    job_id: job.id,
    number: (before?.number ?? 0) + 1,
    step: nextStep(before),
    transport: planned.transport.kind,
    backend: planned.transport.backend,
    phase: 'preparing',
    provider_account: planned.account.id,
    provider_sid: null,
    submitted_at: null,
    completed_at: null,
    pages_sent: null,
    seconds: null,
    rate_bps: null,
    error_category: null,
    callback_url: callbackUrl(job.id, id, planned),
    callback_result: null,
    waiting_since: null,
    retry_at: null,
  };
}

/** The exact public address of the attempt's callback; its signature is checked over this text, never a rebuilt one. */
function callbackUrl(jobId: string, attemptId: string, { callbackBase, traits }: PlannedStep): string | null {
  if (callbackBase === null || !traits.callbacks) return null;
  return `${callbackBase}?job_id=${jobId}&attempt_id=${attemptId}`;
}
