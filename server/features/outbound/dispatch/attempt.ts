import { isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { openRoute } from '../accept/capture.ts';
import type { OutboundParts } from '../parts.ts';
import { insertAttempt, newestAttempt } from '../store/attempt-store.ts';
import { moveJob } from '../store/job-store.ts';
import type { AttemptRow, CapturedRoute, JobRow } from '../types.ts';

/**
 * Moves a ready fax to `preparing` with its attempt. An attempt from which nothing was sent goes on under its number;
 * null when somebody else was faster.
 */
export async function beginAttempt(
  parts: OutboundParts,
  job: JobRow,
): Promise<{ job: JobRow; attempt: AttemptRow } | null> {
  const route = openRoute(parts.seal, job);
  return parts.db.transaction(async (tx) => {
    const moved = await moveJob(tx, job, 'preparing', { at: isoTime(parts.clock.now()) });
    if (!moved) return null;
    const before = await newestAttempt(tx, job.id);
    if (before?.phase === 'preparing') return { job: moved, attempt: before };
    const attempt = newAttempt(job, route, (before?.number ?? 0) + 1);
    await insertAttempt(tx, attempt);
    return { job: moved, attempt };
  });
}

function newAttempt(job: JobRow, route: CapturedRoute, number: number): AttemptRow {
  const id = newId();
  return {
    id,
    job_id: job.id,
    number,
    phase: 'preparing',
    provider_account: route.account.accountId,
    provider_sid: null,
    submitted_at: null,
    completed_at: null,
    pages_sent: null,
    seconds: null,
    rate_bps: null,
    error_category: null,
    callback_url: callbackUrl(job.id, id, route),
  };
}

/** The exact public address of the attempt's callback; its signature is checked over this text, never a rebuilt one. */
function callbackUrl(jobId: string, attemptId: string, route: CapturedRoute): string | null {
  if (!route.publicUrl || !route.traits.callbacks) return null;
  return `${route.publicUrl}/${route.account.backend}-callback?job_id=${jobId}&attempt_id=${attemptId}`;
}
