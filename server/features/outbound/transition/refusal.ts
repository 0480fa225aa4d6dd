import type { WaitsFor } from '../../../../shared/states/outbound.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import type { AttemptRow } from '../types.ts';
import { type Change, change } from './change.ts';
import type { Fact, Fax, Names } from './fact.ts';

/** Maximum wait of a fax that cannot leave, in ms: after a day it is not sent without its sender's knowledge. */
const MAX_WAIT_MS = 24 * 3_600_000;
/** Nor does it wait for long where it could go by another route. */
const MAX_ROUTE_WAIT_MS = 5 * 60_000;
/** Keeps the end of a pause within the patience, so that a last attempt follows it. */
const MAX_RETRY_AFTER_MS = MAX_WAIT_MS;

/** Counts from the first failed attempt: a fax that was held for a week has not waited for the provider yet. */
function hasWaitedTooLong(attempt: AttemptRow | null, at: string, maxWait = MAX_WAIT_MS): boolean {
  const since = attempt?.waiting_since ?? null;
  return since !== null && epochOf(at) - epochOf(since) > maxWait;
}

/** Returns true when the plan has another step that may be taken without a person. */
export function hasNext({ job, attempt }: Fax): boolean {
  return attempt !== null && attempt.ends_here === 0 && attempt.step < job.plan_steps;
}

/** True while the attempt is being made. */
const isUnderWay = ({ job }: Fax) =>
  job.delivery_state === 'preparing' || job.delivery_state === 'submitting';

/** Reason why the fax was not accepted. */
type Refusal = { readonly sentence: string } & Pick<Extract<Fact, { kind: 'not_accepted' }>, 'category'>;
type NamedRefusal = Refusal & Names;

export function tryLater(
  fax: Fax,
  { sentence, category, retryAfterMs, provider, next }: Extract<Fact, { kind: 'try_later' }> & Names,
  at: string,
): Change | null {
  if (category === 'artifact_unavailable' && isUnderWay(fax)) return unreadable(fax, sentence, at);
  const maxWait = hasNext(fax) ? MAX_ROUTE_WAIT_MS : MAX_WAIT_MS;
  const isPauseTooLong = hasNext(fax) && (retryAfterMs ?? 0) > maxWait;
  if (!isUnderWay(fax) || isPauseTooLong || hasWaitedTooLong(fax.attempt, at, maxWait))
    return notAccepted(fax, { sentence, category, provider, next }, at);
  const retryAt =
    retryAfterMs === null ? null : isoTime(epochOf(at) + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
  const text = `Waiting for ${provider}. ${sentence} Nothing was sent. Faxdesk tries again automatically.`;
  // Each requested pause gets a history entry; a pause that only continues gets none.
  const isEngine = fax.attempt?.transport === 'line' && category === 'provider_unavailable';
  const waitsFor = isEngine ? 'engine' : null;
  return waitAgain(fax, { text, category, retryAt, isRecordedAgain: retryAt !== null, waitsFor }, at);
}

/** The document cannot be checked, so the fax waits for a day and then a person must decide. */
export function unreadable(fax: Fax, sentence: string, at: string): Change | null {
  if (!isUnderWay(fax)) return null;
  if (!hasWaitedTooLong(fax.attempt, at))
    return waitForDocument(fax, { sentence, category: 'artifact_unavailable' }, at);
  return change({
    moves: ['ready', 'held'],
    attempt: { ...unsubmitted(fax), waiting_since: null, retry_at: null },
    history: {
      kind: 'held',
      text: `Held: it could not be sent for a day. ${sentence} Nothing was sent. Send it once that is fixed, or cancel it.`,
    },
    event: 'job_updated',
    queue: 'withdraw',
  });
}

/** Requires two failed checks in a row: a single one may be a read error. */
export function unsendable(fax: Fax, sentence: string, at: string): Change | null {
  const category = 'artifact_damaged';
  const isProved = fax.attempt?.error_category === category;
  if (isProved) return notSent(fax, { sentence, category }, at);
  return isUnderWay(fax) ? waitForDocument(fax, { sentence, category }, at) : null;
}

function waitForDocument(fax: Fax, { sentence, category }: Refusal, at: string): Change {
  const text = `Waiting for the document. ${sentence} Nothing was sent. Faxdesk tries again automatically.`;
  return waitAgain(fax, { text, category, retryAt: null, isRecordedAgain: true, waitsFor: null }, at);
}

/** Repeats the same step. The reason for the wait is recorded once in the same words. */
function waitAgain(
  fax: Fax,
  wait: Pick<Refusal, 'category'> & {
    text: string;
    retryAt: string | null;
    isRecordedAgain: boolean;
    waitsFor: WaitsFor | null;
  },
  at: string,
): Change {
  const { text, category, retryAt, isRecordedAgain, waitsFor } = wait;
  const entry = { kind: 'waiting', text } as const;
  const waits = fax.attempt !== null && fax.attempt.waiting_since !== null;
  const again = isRecordedAgain ? ({ ...entry, once: true } as const) : null;
  return change({
    moves: ['ready'],
    facts: { waits_for: waitsFor },
    attempt: {
      ...unsubmitted(fax),
      error_category: category,
      retry_at: retryAt,
      ...(waits ? {} : { waiting_since: at }),
    },
    history: waits ? again : entry,
    event: waits ? null : 'job_updated',
  });
}

/** An attempt of which nothing was taken is made again under its number. */
const unsubmitted = ({ attempt }: Fax) =>
  attempt?.phase === 'submitting' ? ({ phase: 'preparing', submitted_at: null } as const) : {};

export function notAccepted(fax: Fax, refusal: NamedRefusal, at: string): Change | null {
  if (!isUnderWay(fax) || fax.attempt === null || !hasNext(fax)) return notSent(fax, refusal, at);
  return toNextStep(fax.attempt, { ...refusal, at, what: 'did not accept it' });
}

/** Certain that no page left, and the plan has another step. */
export function toNextStep(
  attempt: AttemptRow,
  args: NamedRefusal & { at: string; what: string; facts?: Change['attempt'] },
): Change {
  const { category, at, facts } = args;
  return change({
    moves: ['ready'],
    facts: { provider_sid: null, error: null, reconciliation_reason: null },
    attempt: { completed_at: at, error_category: category, ...facts, phase: 'failed' },
    history: { kind: 'next_step', text: nextText(attempt, args) },
    event: 'job_updated',
    queue: 'dispatch',
  });
}

function nextText(
  { transport, route_name }: AttemptRow,
  { sentence, provider, next, what }: NamedRefusal & { what: string },
): string {
  if (transport === 'own_number') return `${sentence} Nothing was sent this way. Faxdesk tries the next way.`;
  if (transport === 'direct')
    return `${sentence} Nothing was delivered directly. It is sent as an ordinary fax.`;
  const who = route_name === null ? provider : `Route “${route_name}”`;
  const then = next === null ? 'Faxdesk tries the next route.' : `Next route: ${next}.`;
  return `${who.charAt(0).toUpperCase()}${who.slice(1)} ${what}. ${sentence} ${then}`;
}

/**
 * Returns the change for a fax that was certainly not sent and has no further step: it has failed. A fax that needs
 * confirmation never proceeds to another step.
 */
function notSent({ job }: Fax, { sentence, category }: Refusal, at: string): Change | null {
  if (!['preparing', 'submitting', 'reconciliation_required'].includes(job.delivery_state)) return null;
  return change({
    moves: ['failed'],
    facts: { error: sentence, reconciliation_reason: null },
    attempt: { phase: 'failed', completed_at: at, error_category: category },
    history: { kind: 'failed', text: `Not sent. ${sentence}` },
    event: 'job_failed',
  });
}
