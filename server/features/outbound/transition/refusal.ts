import { epochOf, isoTime } from '../../../platform/clock.ts';
import type { AttemptRow } from '../types.ts';
import { type Change, change } from './change.ts';
import type { Fact, Fax } from './fact.ts';

/** A fax that could not leave for a day is not sent behind its sender's back the day after. */
const PATIENCE_MS = 24 * 3_600_000;
/** The end of a pause still lies within the patience, so that a last try follows it. */
const MOST_RETRY_AFTER_MS = PATIENCE_MS;

/** Counted from the first try that failed: a fax that was held for a week has not waited for the provider yet. */
function isOutOfPatience(attempt: AttemptRow | null, at: string): boolean {
  const since = attempt?.waiting_since ?? null;
  return since !== null && epochOf(at) - epochOf(since) > PATIENCE_MS;
}

/** Whether the attempt is being made just now. */
const isUnderWay = ({ job }: Fax) =>
  job.delivery_state === 'preparing' || job.delivery_state === 'submitting';

/** Why nothing was taken. */
type Refusal = { readonly sentence: string } & Pick<Extract<Fact, { kind: 'not_accepted' }>, 'category'>;

export function tryLater(
  fax: Fax,
  { sentence, category, retryAfterMs }: Extract<Fact, { kind: 'try_later' }>,
  at: string,
): Change | null {
  const { attempt } = fax;
  if (!isUnderWay(fax) || isOutOfPatience(attempt, at)) return notAccepted(fax, { sentence, category }, at);
  const text = `Waiting for the provider. ${sentence} Nothing was sent. Faxdesk tries again automatically.`;
  const waits = attempt !== null && attempt.waiting_since !== null;
  const phase = attempt?.phase === 'submitting' ? ({ phase: 'preparing', submitted_at: null } as const) : {};
  const retryAt =
    retryAfterMs === null ? null : isoTime(epochOf(at) + Math.min(retryAfterMs, MOST_RETRY_AFTER_MS));
  const told = { kind: 'waiting', text } as const;
  // Each pause that is asked for is told; what only goes on is not told again.
  const again = retryAt === null ? null : ({ ...told, once: true } as const);
  return change({
    moves: ['ready'],
    attempt: {
      ...phase,
      error_category: category,
      retry_at: retryAt,
      ...(waits ? {} : { waiting_since: at }),
    },
    history: waits ? again : told,
    event: waits ? null : 'job_updated',
  });
}

export function notAccepted(fax: Fax, refusal: Refusal, at: string): Change | null {
  const { job, attempt } = fax;
  if (!isUnderWay(fax) || attempt === null || attempt.step >= job.plan_steps)
    return notSent(fax, refusal, at);
  return toNextStep({ ...refusal, at });
}

/** Certain that no page left, and the plan has another step. */
export function toNextStep(args: Refusal & { at: string; facts?: Change['attempt'] }): Change {
  const { sentence, category, at, facts } = args;
  return change({
    moves: ['ready'],
    facts: { provider_sid: null, error: null, reconciliation_reason: null },
    attempt: { completed_at: at, error_category: category, ...facts, phase: 'failed' },
    history: { kind: 'next_step', text: `${sentence} Nothing was sent this way; the next way is tried.` },
    event: 'job_updated',
    queue: 'dispatch',
  });
}

/** Certainly not sent, and no further step: the fax has failed. A fax that needs confirmation never goes on to another step. */
export function notSent({ job }: Fax, { sentence, category }: Refusal, at: string): Change | null {
  if (!['preparing', 'submitting', 'reconciliation_required'].includes(job.delivery_state)) return null;
  return change({
    moves: ['failed'],
    facts: { error: sentence, reconciliation_reason: null },
    attempt: { phase: 'failed', completed_at: at, error_category: category },
    history: { kind: 'failed', text: `Not sent. ${sentence}` },
    event: 'job_failed',
  });
}
