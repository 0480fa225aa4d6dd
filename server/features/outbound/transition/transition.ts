import type { DeliveryState, WaitsFor } from '../../../../shared/states/outbound.ts';
import type { CallLimits } from '../../contacts/line-memory-port.ts';
import { transmittedPages } from '../transmitted-pages.ts';
import type { AttemptRow } from '../types.ts';
import { afterArrival, arrivedBefore } from './arrived.ts';
import { type Change, change } from './change.ts';
import type { Fact, Fax, Names } from './fact.ts';
import { limitColumns, limitsText } from './limits.ts';
import { notAccepted, tryLater, unreadable, unsendable } from './refusal.ts';
import { onReport } from './report.ts';
import { silent, unconfirmed, workerLost } from './unconfirmed.ts';

/**
 * Returns the change that a fact makes to a fax. Pure: the same fax, fact and time give the same change. Null when the
 * fact changes nothing, because it is late, repeated, or cannot concern this fax. `at` is an ISO time.
 */
export function transition(fax: Fax, fact: Fact, at: string, names: Names = UNNAMED): Change | null {
  const found = changeOf(fax, fact, at, names);
  return found && leaveCall(fax, afterArrival(fax, fact, found));
}

const UNNAMED: Names = { provider: 'The provider', next: null };

/** A fax that was put back is in no call any more. */
function leaveCall({ attempt }: Fax, found: Change): Change {
  const last = found.moves.at(-1);
  const phase = found.attempt?.phase ?? attempt?.phase;
  if ((attempt?.call_id ?? null) === null || phase !== 'preparing') return found;
  if (last !== 'ready' && last !== 'held') return found;
  return { ...found, attempt: { ...found.attempt, call_id: null, call_first_page: null, call_pages: null } };
}

function changeOf(fax: Fax, fact: Fact, at: string, names: Names): Change | null {
  const { provider } = names;
  switch (fact.kind) {
    case 'released':
      return released(fax);
    case 'held':
      return held(fax, fact);
    case 'cancelled':
      return cancelled(fax, at);
    case 'rescheduled':
      return rescheduled(fax, fact, at);
    case 'hours':
      return waitsForHours(fax, fact);
    case 'too_late':
      return tooLate(fax, fact.sentence, at);
    case 'waits':
      return waits(fax, fact.for);
    case 'begun':
      return begun(fax, fact);
    case 'switched_off':
      return fax.job.delivery_state === 'preparing' ? change({ moves: ['ready'] }) : null;
    case 'put_back':
      return fax.job.delivery_state === 'preparing' ? change({ moves: ['ready'], queue: 'dispatch' }) : null;
    case 'parted':
      return parted(fax);
    case 'submitting':
      return submitting(fax, fact.limits, { at, provider });
    case 'unreadable':
      return unreadable(fax, fact.sentence, at);
    case 'unsendable':
      return unsendable(fax, fact.sentence, at);
    case 'try_later':
      return tryLater(fax, { ...fact, ...names }, at);
    case 'not_accepted':
      return notAccepted(fax, { ...fact, ...names }, at);
    case 'reported':
      return onReport(fax, fact.report, { at, ...names });
    case 'arrived':
      return fax.job.arrival_proved === 0 ? arrivedBefore(fax, fact) : null;
    case 'unknown':
      return unconfirmed(fax, fact);
    case 'worker_lost':
      return workerLost(fax, provider);
    case 'silent':
      return silent(fax, provider);
    case 'decided':
      return decided(fax, fact, at);
    case 'not_reached':
      return notReached(fax, fact);
    case 'asks_again':
      return asksAgain(fax, at);
    case 'stopped':
      return stopped(fax, fact.by, at);
    default:
      return fact satisfies never;
  }
}

function released({ job }: Fax): Change | null {
  if (job.delivery_state !== 'held') return null;
  const isOverLimit = job.held_reason !== null;
  const text = isOverLimit ? 'Released for sending, over the spending limit.' : 'Released for sending.';
  return change({
    moves: ['ready'],
    facts: isOverLimit ? { held_reason: null, over_limit: 1 } : {},
    history: { kind: 'released', text },
    event: 'job_updated',
    queue: 'dispatch',
  });
}

function held({ job, attempt }: Fax, { text, byLimit }: Extract<Fact, { kind: 'held' }>): Change | null {
  const history = { kind: 'held', text } as const;
  // The earlier wait is irrelevant after its release.
  const rested = attempt?.phase === 'preparing' ? { waiting_since: null, retry_at: null } : null;
  switch (job.delivery_state) {
    case 'held':
      return change({ history });
    case 'ready':
      return change({
        moves: ['held'],
        facts: { waits_for: null, ...(byLimit ? { held_reason: text, together_at: null } : {}) },
        attempt: rested,
        history,
        event: 'job_updated',
        queue: 'withdraw',
      });
    case 'preparing':
      return change({
        moves: ['ready', 'held'],
        attempt: rested,
        history,
        event: 'job_updated',
        queue: 'withdraw',
      });
    default:
      return null;
  }
}

function cancelled({ job, attempt }: Fax, at: string): Change | null {
  if (job.delivery_state !== 'held' && job.delivery_state !== 'ready') return null;
  return change({
    moves: ['cancelled'],
    facts: { error: 'Canceled before it was sent.', waits_for: null, held_reason: null },
    attempt: attempt?.phase === 'preparing' ? { phase: 'cancelled', completed_at: at } : null,
    history: { kind: 'cancelled', text: 'Canceled before it was sent.' },
    event: 'job_updated',
    queue: 'withdraw',
  });
}

/** Applies only before its time: later its dispatch may be under way. */
function rescheduled(
  { job }: Fax,
  { times, text }: Extract<Fact, { kind: 'rescheduled' }>,
  at: string,
): Change | null {
  const isWaiting = [job.send_at, job.together_at, job.hours_at].some((time) => time !== null && time > at);
  if (job.delivery_state !== 'ready' || !isWaiting) return null;
  return change({
    facts: { ...times, together_at: null },
    history: { kind: 'rescheduled', text },
    event: 'job_updated',
    queue: 'replan',
  });
}

function waitsForHours(
  { job }: Fax,
  { hours_at, hours_reason }: Extract<Fact, { kind: 'hours' }>,
): Change | null {
  if (job.delivery_state !== 'ready' || job.hours_at === hours_at) return null;
  const together = job.together_at === null ? {} : { together_at: hours_at };
  return change({
    facts: { hours_at, hours_reason, waits_for: null, ...together },
    history: hours_reason === null ? null : { kind: 'waiting', text: hours_reason, once: true },
    event: 'job_updated',
    queue: 'replan',
  });
}

/** Nothing of a fax in these states is under way, so it has certainly not left. */
const UNSENT: ReadonlySet<DeliveryState> = new Set(['held', 'ready', 'preparing']);

function tooLate({ job, attempt }: Fax, sentence: string, at: string): Change | null {
  if (!UNSENT.has(job.delivery_state)) return null;
  return change({
    moves: ['failed'],
    facts: { error: sentence, waits_for: null, held_reason: null, together_at: null },
    attempt: attempt?.phase === 'preparing' ? { phase: 'failed', completed_at: at } : null,
    history: { kind: 'failed', text: `Not sent. ${sentence}` },
    event: 'job_failed',
    queue: 'withdraw',
  });
}

const WAITS_TEXT: Readonly<Record<WaitsFor, string>> = {
  engine: 'Waiting for the telephone engine.',
  line: 'Waiting for a free line.',
  number: 'Waiting: another fax to this number is being sent.',
};

/** Records the reason for a wait once. */
function waits({ job }: Fax, what: WaitsFor): Change | null {
  if (job.delivery_state !== 'ready' || job.waits_for === what) return null;
  return change({
    facts: { waits_for: what },
    history: { kind: 'waiting', text: WAITS_TEXT[what], once: true },
  });
}

function begun({ job }: Fax, { attempt, isNew }: Extract<Fact, { kind: 'begun' }>): Change | null {
  if (job.delivery_state !== 'ready') return null;
  return change({
    moves: ['preparing'],
    facts: {
      waits_for: null,
      ...(isNew ? transportColumns(attempt) : {}),
    },
    attempt: isNew || attempt.call_id === null ? null : callColumns(attempt),
    begins: isNew ? attempt : null,
  });
}

/** Transports that place no call and bill nothing. */
const WITHOUT_CALL: ReadonlySet<AttemptRow['transport']> = new Set(['own_number', 'direct']);

/** Returns the columns of the transport in use. Without a call, `backend` stays the provider captured at acceptance. */
const transportColumns = ({
  transport,
  provider_account,
  backend,
  route_id,
  route_name,
  route_reason,
}: AttemptRow) => ({
  account_id: provider_account,
  ...(WITHOUT_CALL.has(transport) ? {} : { backend }),
  route_id,
  route_name,
  route_reason,
});

const callColumns = ({ call_id, call_first_page, call_pages }: AttemptRow) => ({
  call_id,
  call_first_page,
  call_pages,
});

/** Returns the change when the documents cannot be merged: each goes in a call of its own. */
function parted({ job }: Fax): Change | null {
  if (job.delivery_state !== 'preparing') return null;
  const text = 'It cannot be combined with the other faxes to this number, so it is sent separately.';
  return change({
    moves: ['ready'],
    facts: { together_at: null },
    history: { kind: 'waiting', text, once: true },
    event: 'job_updated',
    queue: 'dispatch',
  });
}

const DELIVERING_HERE = 'Delivering to our own number, without a call.';

function submittingText(attempt: AttemptRow, provider: string, again: string): string {
  const { transport, call_first_page, encoded_pages } = attempt;
  if (transport === 'own_number') return DELIVERING_HERE;
  if (transport === 'direct') return 'Sending the original directly to the partner, without a call.';
  if (transport === 'test') return `Test fax: it is handed to nobody${again}.`;
  const encoded =
    encoded_pages === null
      ? ''
      : ` with ${encoded_pages === 1 ? '1 encoded page' : `${encoded_pages} encoded pages`}`;
  const together = call_first_page === null ? '' : ', in one call with other faxes to this number';
  return `${transport === 'line' ? 'Calling' : `Sending to ${provider}`}${again}${together}${encoded}.`;
}

function submitting(
  { job, attempt }: Fax,
  limits: CallLimits | null,
  { at, provider }: { at: string; provider: string },
): Change | null {
  if (job.delivery_state !== 'preparing' || !attempt) return null;
  const again = attempt.number === 1 ? '' : `, attempt ${attempt.number}`;
  const text = `${submittingText(attempt, provider, again)}${limits === null ? '' : limitsText(limits)}`;
  const line = { kind: 'submitting', text } as const;
  return change({
    moves: ['submitting'],
    attempt: { phase: 'submitting', submitted_at: at, error_category: null, ...limitColumns(limits) },
    // A repeated attempt writes this entry once.
    history: attempt.waiting_since === null ? line : { ...line, once: true },
    event: 'job_dispatch',
  });
}

function decided({ job, attempt }: Fax, fact: Extract<Fact, { kind: 'decided' }>, at: string): Change | null {
  if (job.delivery_state !== 'reconciliation_required') return null;
  const { outcome, note, by, pagesArrived = null } = fact;
  const success = outcome === 'success';
  const incomplete = success || pagesArrived === null || pagesArrived === 0 ? null : pagesArrived;
  const recorded = success ? 'delivered' : incomplete === null ? 'not delivered' : 'incomplete';
  const arrived =
    incomplete === null ? '' : `: ${incomplete} of ${transmittedPages(job, attempt)} pages arrived`;
  return change({
    moves: [outcome],
    facts: {
      reconciliation_reason: null,
      error: success ? null : `Recorded as ${recorded} by ${by}${arrived}.`,
      decided_by_name: by,
      decided_note: note,
      ask_again_at: null,
    },
    attempt: {
      phase: outcome,
      completed_at: at,
      ...(success || pagesArrived === null ? {} : { pages_sent: pagesArrived }),
    },
    history: {
      kind: 'reconciled',
      text: `Recorded as ${recorded} by ${by}${arrived}${arrived === '' ? ':' : '.'} ${note}`,
    },
    event: success ? 'job_updated' : 'job_failed',
  });
}

function notReached(
  { job }: Fax,
  { askAgainAt, text }: Extract<Fact, { kind: 'not_reached' }>,
): Change | null {
  if (job.delivery_state !== 'reconciliation_required') return null;
  return change({
    facts: { ask_again_at: askAgainAt },
    history: { kind: 'not_reached', text },
    event: 'job_updated',
    queue: 'ask_again',
  });
}

/** The change itself notifies the consoles. Null when nobody is to be asked yet, e.g. after a later time was chosen. */
function asksAgain({ job }: Fax, at: string): Change | null {
  const isDue = job.ask_again_at !== null && job.ask_again_at <= at;
  if (job.delivery_state !== 'reconciliation_required' || !isDue) return null;
  return change({ facts: { ask_again_at: null } });
}

function stopped({ job }: Fax, by: string, at: string): Change | null {
  if (job.delivery_state !== 'in_progress') return null;
  const sentence = `Stopped by ${by} before it was delivered.`;
  return change({
    moves: ['failed'],
    facts: { error: sentence },
    attempt: { phase: 'cancelled', completed_at: at },
    history: { kind: 'cancelled', text: sentence },
    event: 'job_failed',
  });
}
