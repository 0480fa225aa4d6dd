import type { WebhookResult } from '../../adapters/webhooks/port.ts';
import { backoff } from '../../jobs/backoff.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import type { DeliveryRow, EndpointRow } from './types.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIRST_WAIT_MS = 10_000;
/** Longest wait between two attempts. */
export const MAX_WAIT_MS = HOUR_MS;
/** An endpoint that accepts nothing for so long is paused. */
const PAUSED_AFTER_DAYS = 3;

const GONE = 410;

/**
 * Returns the wait in ms that a server which did not accept a message asked for, at most an hour; null when it asked for
 * none.
 */
export function askedWait(result: WebhookResult): number | null {
  if (result.kind !== 'answered' || isAccepted(result.status) || result.retryAfterMs === null) return null;
  return Math.min(result.retryAfterMs, MAX_WAIT_MS);
}

const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/** Returns null for an accepted message, otherwise a sentence that says why it was not accepted. */
export function problemOf(result: Exclude<WebhookResult, { kind: 'canceled' }>): string | null {
  if (result.kind === 'failed') return result.sentence;
  const { status } = result;
  if (isAccepted(status)) return null;
  if (status >= 300 && status < 400)
    return `The server redirects to another address (${status}), which is not followed.`;
  if (status === GONE) return `The server no longer accepts events (${GONE}).`;
  const wait = askedWait(result);
  return wait === null
    ? `The server answered with status ${status}.`
    : `The server answered with status ${status} and asked for a pause of ${waitInWords(wait)}.`;
}

function waitInWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 60 ? 'an hour' : `${minutes} minutes`;
}

type DeliveryChanges = Pick<DeliveryRow, 'state' | 'problem' | 'failures' | 'retry_at'>;

/**
 * Returns the changes of a delivery after an attempt at `now` (epoch ms): failed messages are tried for a day, never before the
 * server's own pause of `waitMs` is over.
 */
export function afterAttempt(
  { failures: before, begun_at }: Pick<DeliveryRow, 'failures' | 'begun_at'>,
  { problem, waitMs, now }: { problem: string | null; waitMs: number | null; now: number },
): DeliveryChanges {
  if (problem === null) return { state: 'delivered', problem, failures: 0, retry_at: null };
  const failures = before + 1;
  const last = epochOf(begun_at) + DAY_MS;
  // Once more at the end of the day, however long the waits are by then.
  const own = Math.min(now + backoff(failures, FIRST_WAIT_MS, MAX_WAIT_MS), last);
  const next = Math.max(own, now + (waitMs ?? 0));
  return now >= last
    ? { state: 'failed', problem, failures, retry_at: null }
    : { state: 'waiting', problem, failures, retry_at: isoTime(next) };
}

/** Returns a sentence that says why an endpoint is paused after a failed attempt; null when it is not. */
export function pauseReason(
  { failing_since }: Pick<EndpointRow, 'failing_since'>,
  result: WebhookResult,
  now: number,
): string | null {
  if (result.kind === 'answered' && result.status === GONE)
    return 'The server answered that it no longer accepts events (410).';
  const isLong = failing_since !== null && now - epochOf(failing_since) >= PAUSED_AFTER_DAYS * DAY_MS;
  return isLong ? `It accepted nothing for ${PAUSED_AFTER_DAYS} days.` : null;
}
