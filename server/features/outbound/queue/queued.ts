import { z } from 'zod';
import { Id } from '../../../../shared/api/values.ts';
import { PRIORITY, type Priority } from '../../../jobs/define-job.ts';
import { nextStep } from '../attempt-state.ts';
import type { AttemptRow, JobRow } from '../types.ts';

/** The background work of this room by name and shape; its definitions stand in `dispatch.ts`, `send-later.ts` and `poll.ts`. */
const DispatchPayload = z.strictObject({ job_id: Id, step: z.number() });
const WaitPayload = z.strictObject({ job_id: Id });
const PollPayload = z.strictObject({ attempt_id: Id });
export type DispatchPayload = z.infer<typeof DispatchPayload>;
export type WaitPayload = z.infer<typeof WaitPayload>;
export type PollPayload = z.infer<typeof PollPayload>;

export const dispatchJob = { kind: 'fax.dispatch', schema: DispatchPayload, hasPriorities: true } as const;
export const waitJob = { kind: 'fax.wait', schema: WaitPayload } as const;
export const deadlineJob = { kind: 'fax.deadline', schema: WaitPayload } as const;
export const tryAgainJob = { kind: 'fax.try_again', schema: WaitPayload } as const;
export const askAgainJob = { kind: 'fax.ask_again', schema: WaitPayload } as const;
export const pollJob = { kind: 'fax.poll', schema: PollPayload } as const;

export const costJob = { kind: 'fax.cost', schema: PollPayload } as const;

export const FIRST_POLL_MS = 30_000;
/** A partner that did not answer is asked every minute at first. */
export const DIRECT_POLL_MS = 60_000;
/** A test fax ends within seconds. */
export const TEST_POLL_MS = 3_000;
const FIRST_COST_POLL_MS = 600_000;

/** Single faxes go before those of a broadcast. */
function priorityOf({ urgent, broadcast_id }: Pick<JobRow, 'urgent' | 'broadcast_id'>): Priority {
  if (urgent) return PRIORITY.urgent;
  return broadcast_id === null ? PRIORITY.normal : PRIORITY.broadcast;
}

/** Returns the dispatch of a step; only one for each step is queued at a time. Urgent ones go first, those of broadcasts last. */
export function dispatchOf(row: Pick<JobRow, 'id' | 'urgent' | 'broadcast_id'>, newest: AttemptRow | null) {
  const step = nextStep(newest);
  return {
    payload: { job_id: row.id, step },
    key: `fax.dispatch:${row.id}:${step}`,
    priority: priorityOf(row),
  };
}

/** A busy or unanswered number is tried again once for each fax. */
export function tryAgainOf(jobId: string) {
  return { payload: { job_id: jobId }, key: `fax.try_again:${jobId}` };
}

/** Returns the job that asks a person again whether a fax arrived, one for each time. */
export function askAgainOf(jobId: string, runAt: number) {
  return { payload: { job_id: jobId }, key: `fax.ask_again:${jobId}:${runAt}`, runAt };
}

/** Returns the poll of an attempt; only one is queued at a time. */
export function pollOf(attemptId: string, now: number, waitMs = FIRST_POLL_MS) {
  return { payload: { attempt_id: attemptId }, key: `fax.poll:${attemptId}`, runAt: now + waitMs };
}

/** Returns the job that queries the provider for the cost, a while after the end. */
export function costPollOf(attemptId: string, now: number) {
  return {
    payload: { attempt_id: attemptId },
    key: `fax.cost:${attemptId}`,
    runAt: now + FIRST_COST_POLL_MS,
  };
}

/** A planned fax waits once, until its time. */
export function waitOf(jobId: string, runAt: number) {
  return { payload: { job_id: jobId }, key: `fax.wait:${jobId}`, runAt };
}

/** A fax with a latest time ends then, if it still waits. */
export function deadlineOf(jobId: string, runAt: number) {
  return { payload: { job_id: jobId }, key: `fax.deadline:${jobId}`, runAt };
}
