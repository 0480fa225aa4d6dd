import { backoff } from '../../../jobs/backoff.ts';
import { DONE, type JobResult } from '../../../jobs/define-job.ts';
import { epochOf } from '../../../platform/clock.ts';
import type { Fax } from '../transition/fact.ts';
import type { AttemptRow } from '../types.ts';

/** Interval in ms at which a fax checks again whether sending is on. */
const OFF_RETRY_MS = 30_000;
/** Interval in ms at which a fax is tried again after its transport accepted nothing: doubled from the first. */
export const LATER_RETRY = { first: 15_000, max: 300_000 };

/** Retries the same step where nothing was accepted, with backoff. Another step has a job of its own. */
export function retryStep(now: number, after: Fax | null, tried: number): JobResult {
  if (after?.job.delivery_state !== 'ready' || after.attempt?.phase !== 'preparing') return DONE;
  const pauseEnds = endOfPause(after.attempt, now) ?? 0;
  return retryLater(now, Math.max(pauseEnds, now + backoff(tried, LATER_RETRY.first, LATER_RETRY.max)));
}

/** Retries from time to time: the clock may be set back, or a person may hold the fax. */
export function retryLater(now: number, at: number): JobResult {
  const soonest = Math.min(at, now + LATER_RETRY.max);
  return { kind: 'retry', at: soonest, reason: 'the transport accepts nothing right now' };
}

/**
 * Returns the end of the pause that the transport requested, in epoch ms; null without one, and once the clock was set
 * back.
 */
export function endOfPause(attempt: AttemptRow | null, now: number): number | null {
  const { waiting_since, retry_at } = attempt ?? {};
  if (!waiting_since || !retry_at || now < epochOf(waiting_since) || now >= epochOf(retry_at)) return null;
  return epochOf(retry_at);
}

export function retryUntilSendingIsOn(now: number): JobResult {
  return { kind: 'retry', at: now + OFF_RETRY_MS, reason: 'sending is off' };
}

export function retryAtNextStart(now: number): JobResult {
  return { kind: 'retry', at: now, reason: 'the gateway stops' };
}
