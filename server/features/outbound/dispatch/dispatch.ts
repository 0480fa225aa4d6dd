import type { WriteTx } from '../../../db/database.ts';
import { backoff } from '../../../jobs/backoff.ts';
import {
  DONE,
  defineJob,
  type JobDefinition,
  type JobResult,
  type JobRun,
} from '../../../jobs/define-job.ts';
import { epochOf } from '../../../platform/clock.ts';
import { waitsUntil } from '../accept/send-later.ts';
import { nextStep } from '../attempt-state.ts';
import type { OutboundParts } from '../parts.ts';
import { TransportError } from '../port.ts';
import type { Fact, Fax } from '../transition/fact.ts';
import { readFax, record } from '../transition/record.ts';
import { type AttemptRow, SYSTEM } from '../types.ts';
import { artifactProblem } from './artifact.ts';
import { type BegunFax, beginAttempt } from './attempt.ts';
import { type DispatchPayload, dispatchJob } from './queued.ts';
import { refusalOf, submit } from './submit.ts';

/** How soon a fax looks again whether sending is on, and whether the transport takes it. */
const OFF_RETRY_MS = 30_000;
const LATER_RETRY = { first: 15_000, most: 300_000 };

/**
 * Takes one step of a ready fax. `hold`: when the worker vanishes after `submitting` was flushed, nobody knows whether
 * the transport has the fax, so a person decides.
 */
export function defineDispatch(parts: OutboundParts): JobDefinition<DispatchPayload> {
  return defineJob({
    ...dispatchJob,
    concurrency: 4,
    lost: 'hold',
    longestWaitMs: LATER_RETRY.most,
    run: (payload, run) => dispatch(parts, payload, run),
    onLost: (tx, payload) => settleLost(parts, tx, payload),
  });
}

async function dispatch(
  parts: OutboundParts,
  payload: DispatchPayload,
  { attempt: tried, signal }: JobRun,
): Promise<JobResult> {
  const before = await undone(parts, payload);
  if (before?.job.delivery_state !== 'ready') return DONE;
  const { job } = before;
  const until = waitsUntil(job, parts.clock.now());
  // Only a clock that was set back in the meantime leads here.
  if (until !== null) return { kind: 'retry', at: until, reason: 'it is planned for later' };
  const pauseEnds = endOfPause(before.attempt, parts.clock.now());
  if (pauseEnds !== null) return later(parts, pauseEnds);
  if (parts.settings.sendingDisabled()) return untilSwitchedOn(parts);
  if (signal.aborted) return nextTime(parts);
  const fax = await beginAttempt(parts, job, payload.step);
  if (!fax) return DONE;
  const sentence = await artifactProblem(parts, fax.job);
  if (sentence) {
    await tell(parts, fax, { kind: 'unsendable', sentence });
    return DONE;
  }
  const unreachable = await reachProblem(parts, fax);
  if (unreachable) return again(parts, await tell(parts, fax, refusalOf(unreachable)), tried);
  if (parts.settings.sendingDisabled()) {
    await tell(parts, fax, { kind: 'switched_off' });
    return untilSwitchedOn(parts);
  }
  // Nothing is handed over once the gateway stops; the next start finds the attempt half-way and takes it again.
  if (signal.aborted) return nextTime(parts);
  return again(parts, await submit(parts, fax), tried);
}

function nextTime({ clock }: OutboundParts): JobResult {
  return { kind: 'retry', at: clock.now(), reason: 'the gateway stops' };
}

/**
 * The fax as this run finds it. Only one run has the lease of a step, so a fax that stands half-way in it was left there
 * by a run that could not record how it ended, e.g. because the disk was full: it is settled as a lost one.
 */
async function undone(parts: OutboundParts, payload: DispatchPayload): Promise<Fax | null> {
  const fax = await readFax(parts.db.read, payload.job_id);
  if (!fax || !isInStep(fax.attempt, payload.step)) return null;
  const { delivery_state } = fax.job;
  if (delivery_state !== 'preparing' && delivery_state !== 'submitting') return fax;
  await parts.db.transaction((tx) => settleLost(parts, tx, payload));
  return readFax(parts.db.read, payload.job_id);
}

/** Whether the newest attempt carries out this step, or has yet to begin it. */
function isInStep(newest: AttemptRow | null, step: number): boolean {
  return nextStep(newest) === step;
}

async function reachProblem(parts: OutboundParts, { step }: BegunFax): Promise<TransportError | null> {
  try {
    await parts.transports.of(step.transport).reach(step.account.credentials);
    return null;
  } catch (error) {
    if (error instanceof TransportError) return error;
    throw error;
  }
}

/** The same step is tried again where nothing was taken; it waits longer each time. Another step has a job of its own. */
function again(parts: OutboundParts, after: Fax | null, tried: number): JobResult {
  if (after?.job.delivery_state !== 'ready' || after.attempt?.phase !== 'preparing') return DONE;
  const now = parts.clock.now();
  const pauseEnds = endOfPause(after.attempt, now) ?? 0;
  return later(parts, Math.max(pauseEnds, now + backoff(tried, LATER_RETRY.first, LATER_RETRY.most)));
}

/** It looks again from time to time: the clock may be set back, or somebody may hold the fax. */
function later({ clock }: OutboundParts, at: number): JobResult {
  const soonest = Math.min(at, clock.now() + LATER_RETRY.most);
  return { kind: 'retry', at: soonest, reason: 'the transport takes nothing at present' };
}

/** When the pause ends that the transport asked for, in epoch ms; null without one, and once the clock was set back. */
function endOfPause(attempt: AttemptRow | null, now: number): number | null {
  const { waiting_since, retry_at } = attempt ?? {};
  if (!waiting_since || !retry_at || now < epochOf(waiting_since) || now >= epochOf(retry_at)) return null;
  return epochOf(retry_at);
}

function untilSwitchedOn(parts: OutboundParts): JobResult {
  return { kind: 'retry', at: parts.clock.now() + OFF_RETRY_MS, reason: 'sending is off' };
}

function tell(parts: OutboundParts, fax: BegunFax, fact: Fact): Promise<Fax | null> {
  return parts.db.transaction((tx) => record(parts, tx, fax, fact, SYSTEM));
}

/** The worker that had this step is gone. */
async function settleLost(
  parts: OutboundParts,
  tx: WriteTx,
  { job_id, step }: DispatchPayload,
): Promise<void> {
  const fax = await readFax(tx, job_id);
  if (fax && isInStep(fax.attempt, step)) await record(parts, tx, fax, { kind: 'worker_lost' }, SYSTEM);
}
