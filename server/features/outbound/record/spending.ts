import type { WriteTx } from '../../../db/database.ts';
import { epochOf } from '../../../platform/clock.ts';
import { hasEnded, nextStep } from '../attempt-state.ts';
import { isTerminal } from '../delivery-state.ts';
import type { OutboundParts } from '../parts.ts';
import { openStep } from '../plan/plan.ts';
import { NO_HOURS_WAIT } from '../queue/hours.ts';
import { isCall } from '../queue/together.ts';
import type { Fax } from '../transition/fact.ts';
import { plannedPages } from '../transmitted-pages.ts';
import type { JobRow, Plan, PlannedStep } from '../types.ts';
import { expectedSeconds } from './costs.ts';

type Step = Pick<PlannedStep, 'transport' | 'route'>;

/** Returns the fax for acceptance: held, with the reason as a sentence, when it would pass a spending limit. */
export async function heldByLimit(
  parts: Pick<OutboundParts, 'spending'>,
  tx: WriteTx,
  job: JobRow,
  { steps: [first] }: Plan,
): Promise<JobRow> {
  if (job.delivery_state !== 'ready' || !first) return job;
  const held_reason = await exceededLimit(parts, tx, job, first);
  if (held_reason === null) return job;
  return {
    ...job,
    delivery_state: 'held',
    dispatch_mode: 'held',
    held_reason,
    together_at: null,
    ...NO_HOURS_WAIT,
  };
}

/**
 * Counts a fax that takes a step, unless it would pass a spending limit: then returns the reason for the hold as a
 * sentence.
 */
export async function exceededLimit(
  { spending }: Pick<OutboundParts, 'spending'>,
  tx: WriteTx,
  job: JobRow,
  step: Step,
): Promise<string | null> {
  if (!spending.isOn() || !isCall(step)) return null;
  return spending.admit(tx, {
    jobId: job.id,
    backend: step.transport.backend,
    routeId: step.route?.id ?? null,
    to: job.to_number,
    pages: plannedPages(job),
    seconds: expectedSeconds(job, job.encoded_pages !== null),
    createdBy: job.created_by,
    createdByName: job.created_by_name,
    at: plannedAt(job),
    isReleased: job.over_limit === 1,
  });
}

const plannedAt = ({ send_at, hours_at }: Pick<JobRow, 'send_at' | 'hours_at'>): number | null => {
  const at = hours_at ?? send_at;
  return at === null ? null : epochOf(at);
};

/** Counts a fax that a person released past a limit, from then on. */
export async function countReleased(
  parts: Pick<OutboundParts, 'spending' | 'seal'>,
  tx: WriteTx,
  { job, attempt }: Fax,
): Promise<void> {
  const step = openStep(parts.seal, job, nextStep(attempt));
  await exceededLimit(parts, tx, { ...job, over_limit: 1 }, step);
}

/**
 * Removes a fax from the spending under way when it has ended or goes no further automatically: its cost has been
 * counted by then.
 */
export async function recordSpending(
  { spending }: Pick<OutboundParts, 'spending'>,
  tx: WriteTx,
  before: Fax,
  after: Fax,
): Promise<void> {
  const state = after.job.delivery_state;
  const goesOn = state === before.job.delivery_state || !(state === 'held' || isTerminal(state));
  if (goesOn && !isAttemptOver(before, after)) return;
  await spending.forget(tx, after.job.id);
}

/** Another one is counted when it begins. */
function isAttemptOver({ attempt: before }: Fax, { attempt: after }: Fax): boolean {
  return after !== null && before?.id === after.id && hasEnded(after.phase) && !hasEnded(before.phase);
}
