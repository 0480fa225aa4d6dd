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

/** Returns null for an accepted message, otherwise a sentence that says why it was not accepted. */
export function problemOf(result: Exclude<WebhookResult, { kind: 'canceled' }>): string | null {
  if (result.kind === 'failed') return result.sentence;
  const { status } = result;
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The server redirects to another address (${status}), which is not followed.`;
  if (status === GONE) return `The server no longer accepts events (${GONE}).`;
  return `The server answered with status ${status}.`;
}

type DeliveryChanges = Pick<DeliveryRow, 'state' | 'problem' | 'failures' | 'retry_at'>;

/** Returns what an attempt at `now` (epoch ms) makes of a delivery: failed messages are tried for a day. */
export function afterAttempt(
  { failures: before, begun_at }: Pick<DeliveryRow, 'failures' | 'begun_at'>,
  problem: string | null,
  now: number,
): DeliveryChanges {
  if (problem === null) return { state: 'delivered', problem, failures: 0, retry_at: null };
  const failures = before + 1;
  const last = epochOf(begun_at) + DAY_MS;
  // Once more at the end of the day, however long the waits are by then.
  const next = Math.min(now + backoff(failures, FIRST_WAIT_MS, MAX_WAIT_MS), last);
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
