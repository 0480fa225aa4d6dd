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
import { SealError } from '../../../platform/errors.ts';
import { nextStep } from '../attempt-state.ts';
import type { OutboundParts } from '../parts.ts';
import type { Lines } from '../queue/lines.ts';
import { type DispatchPayload, dispatchJob } from '../queue/queued.ts';
import { endOfWait } from '../queue/send-later.ts';
import { type Recorder, readCall, readFax } from '../record/record.ts';
import { HELD_FOR_KEY } from '../record/unusable-key.ts';
import { findCall, lockCalls } from '../store/call-store.ts';
import type { Fact, Fax } from '../transition/fact.ts';
import { TransportError } from '../transport-port.ts';
import { type AttemptRow, SYSTEM } from '../types.ts';
import { artifactProblem } from './artifact.ts';
import type { Attempts, BegunCall, BegunFax } from './attempt.ts';
import { recordForOneFax, recordForWholeCall } from './record-for-call.ts';
import { factOfError, type Submitter } from './submit.ts';

type Parts = Pick<
  OutboundParts,
  'db' | 'queue' | 'clock' | 'logger' | 'seal' | 'storage' | 'transports' | 'settings'
> & {
  readonly lines: Lines;
  readonly recorder: Recorder;
  readonly attempts: Attempts;
  readonly submitter: Submitter;
};

/** Intervals at which a fax checks again whether sending is on and whether the transport accepts it. */
const OFF_RETRY_MS = 30_000;
const LATER_RETRY = { first: 15_000, max: 300_000 };

/**
 * Takes one step of a ready fax. `hold`: when the worker is lost after `submitting` was flushed, it is unknown whether
 * the transport has the fax, so a person decides.
 */
export function defineDispatch(parts: Parts): JobDefinition<DispatchPayload> {
  return defineJob({
    ...dispatchJob,
    concurrency: parts.seal.problem === null ? 4 : 0,
    lost: 'hold',
    maxWaitMs: LATER_RETRY.max,
    run: (payload, run) => dispatch(parts, payload, run),
    onLost: (tx, payload) => settleLost(parts, tx, payload),
  });
}

async function dispatch(
  parts: Parts,
  payload: DispatchPayload,
  { attempt: tried, signal }: JobRun,
): Promise<JobResult> {
  const before = await loadPendingFax(parts, payload);
  if (before?.job.delivery_state !== 'ready') return finishRun(parts, payload);
  const { job } = before;
  const until = endOfWait(job, parts.clock.now());
  // Reached only when the clock was set back in the meantime.
  if (until !== null) return { kind: 'retry', at: until, reason: 'it is planned for later' };
  const pauseEnds = endOfPause(before.attempt, parts.clock.now());
  if (pauseEnds !== null) return retryLater(parts, pauseEnds);
  if (parts.settings.sendingDisabled()) return retryUntilSendingIsOn(parts);
  if (signal.aborted) return retryAtNextStart(parts);
  const beginning = await parts.attempts
    .begin(job, payload.step)
    .catch((error: unknown) => handleSealError(error));
  if (beginning === 'locked') await recordFact(parts, before, { kind: 'held', text: HELD_FOR_KEY });
  if (beginning === null || beginning === 'locked') return finishRun(parts, payload);
  if ('waitsFor' in beginning) return waitForLine(parts, job.id);
  return sendCall(parts, beginning.begun, { tried, signal });
}

/** It is made due when a line is free for it; in between it retries from time to time. */
function waitForLine(
  parts: Pick<OutboundParts, 'clock'> & { readonly lines: Lines },
  jobId: string,
): JobResult {
  const at = parts.clock.now() + LATER_RETRY.max;
  return { kind: 'decide', decide: (tx) => parts.lines.wait(tx, { jobId, at }) };
}

/** Sends what has begun. */
async function sendCall(
  parts: Pick<OutboundParts, 'db' | 'queue' | 'clock' | 'logger' | 'storage' | 'transports' | 'settings'> & {
    readonly recorder: Recorder;
    readonly submitter: Submitter;
  },
  call: BegunCall,
  { tried, signal }: { tried: number; signal: AbortSignal },
): Promise<JobResult> {
  for (const fax of call.faxes) {
    const problem = await artifactProblem(parts, fax.job);
    if (problem) return retryStep(parts, await recordForOneFax(parts, call, { fax, fact: problem }), tried);
  }
  const unreachable = await reachProblem(parts, call.lead);
  if (unreachable)
    return retryStep(parts, await recordForWholeCall(parts, call, factOfError(unreachable)), tried);
  if (parts.settings.sendingDisabled()) {
    await recordForWholeCall(parts, call, { kind: 'switched_off' });
    return retryUntilSendingIsOn(parts);
  }
  // Nothing is handed over once the gateway stops; the next start finds the attempt half-way and takes it again.
  if (signal.aborted) return retryAtNextStart(parts);
  return retryStep(parts, await parts.submitter.submit(call), tried);
}

/** Nothing to do for this run, unless the fax became ready again meanwhile: a job was not made for it then, as this one was there. */
function finishRun(parts: Pick<OutboundParts, 'db' | 'clock'>, { job_id, step }: DispatchPayload): JobResult {
  return {
    kind: 'decide',
    async decide(tx) {
      await lockCalls(tx, parts.db.capabilities);
      const fax = await readFax(tx, job_id);
      const isWaiting = fax?.job.delivery_state === 'ready' && isInStep(fax.attempt, step);
      if (!isWaiting || endOfWait(fax.job, parts.clock.now()) !== null) return DONE;
      return { kind: 'retry', at: parts.clock.now() + LATER_RETRY.first, reason: 'it is ready again' };
    },
  };
}

/** Handles a plan sealed with another data key, as after parts of two installations were combined. */
function handleSealError(error: unknown): 'locked' {
  if (error instanceof SealError) return 'locked';
  throw error;
}

function retryAtNextStart({ clock }: Pick<OutboundParts, 'clock'>): JobResult {
  return { kind: 'retry', at: clock.now(), reason: 'the gateway stops' };
}

/**
 * Returns the fax at the start of this run. Only one run has the lease of a step, so a fax halfway through it was left
 * by a run that could not record its outcome, e.g. because the disk was full: it is settled as a lost one.
 */
async function loadPendingFax(
  parts: Pick<OutboundParts, 'db'> & { readonly recorder: Recorder },
  payload: DispatchPayload,
): Promise<Fax | null> {
  const fax = await readFax(parts.db.read, payload.job_id);
  if (!fax || !isInStep(fax.attempt, payload.step)) return null;
  const { delivery_state } = fax.job;
  if (delivery_state !== 'preparing' && delivery_state !== 'submitting') return fax;
  await parts.db.transaction((tx) => settleLost(parts, tx, payload));
  return readFax(parts.db.read, payload.job_id);
}

/** Returns true when the newest attempt carries out this step, or has yet to begin it. */
function isInStep(newest: AttemptRow | null, step: number): boolean {
  return nextStep(newest) === step;
}

async function reachProblem(
  parts: Pick<OutboundParts, 'transports'>,
  { step }: BegunFax,
): Promise<TransportError | null> {
  try {
    await parts.transports.of(step.transport).reach(step.account.credentials);
    return null;
  } catch (error) {
    if (error instanceof TransportError) return error;
    throw error;
  }
}

/** Retries the same step where nothing was accepted, with backoff. Another step has a job of its own. */
function retryStep(parts: Pick<OutboundParts, 'clock'>, after: Fax | null, tried: number): JobResult {
  if (after?.job.delivery_state !== 'ready' || after.attempt?.phase !== 'preparing') return DONE;
  const now = parts.clock.now();
  const pauseEnds = endOfPause(after.attempt, now) ?? 0;
  return retryLater(parts, Math.max(pauseEnds, now + backoff(tried, LATER_RETRY.first, LATER_RETRY.max)));
}

/** Retries from time to time: the clock may be set back, or a person may hold the fax. */
function retryLater({ clock }: Pick<OutboundParts, 'clock'>, at: number): JobResult {
  const soonest = Math.min(at, clock.now() + LATER_RETRY.max);
  return { kind: 'retry', at: soonest, reason: 'the transport takes nothing at present' };
}

/**
 * Returns the end of the pause that the transport requested, in epoch ms; null without one, and once the clock was set
 * back.
 */
function endOfPause(attempt: AttemptRow | null, now: number): number | null {
  const { waiting_since, retry_at } = attempt ?? {};
  if (!waiting_since || !retry_at || now < epochOf(waiting_since) || now >= epochOf(retry_at)) return null;
  return epochOf(retry_at);
}

function retryUntilSendingIsOn(parts: Pick<OutboundParts, 'clock'>): JobResult {
  return { kind: 'retry', at: parts.clock.now() + OFF_RETRY_MS, reason: 'sending is off' };
}

function recordFact(
  parts: Pick<OutboundParts, 'db'> & { readonly recorder: Recorder },
  fax: Fax,
  fact: Fact,
): Promise<Fax | null> {
  return parts.db.transaction((tx) => parts.recorder.record(tx, fax, fact, SYSTEM));
}

/** Settles a step whose worker is lost, together with every other fax of the call that worker made. */
async function settleLost(
  parts: { readonly recorder: Recorder },
  tx: WriteTx,
  { job_id, step }: DispatchPayload,
): Promise<void> {
  const fax = await readFax(tx, job_id);
  if (!fax || !isInStep(fax.attempt, step)) return;
  const callId = fax.attempt?.call_id ?? null;
  const call = callId === null ? undefined : await findCall(tx, callId);
  if (call && call.lead_job_id !== job_id) return;
  for (const lost of callId === null ? [fax] : await readCall(tx, callId))
    await parts.recorder.record(tx, lost, { kind: 'worker_lost' }, SYSTEM);
}
