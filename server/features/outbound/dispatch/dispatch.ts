import { defineJob, type JobDefinition, type JobResult, type JobRun } from '../../../jobs/define-job.ts';
import { SealError } from '../../../platform/errors.ts';
import type { OutboundParts } from '../parts.ts';
import { isTooLate } from '../queue/hours.ts';
import type { Lines } from '../queue/lines.ts';
import { type DispatchPayload, dispatchJob } from '../queue/queued.ts';
import { endOfWait } from '../queue/send-later.ts';
import { HELD_FOR_KEY } from '../record/unusable-key.ts';
import type { Attempts } from './attempt.ts';
import type { PendingSteps } from './pending-steps.ts';
import { endOfPause, LATER_RETRY, retryAtNextStart, retryLater, retryUntilSendingIsOn } from './retry.ts';
import type { CallSender } from './send-call.ts';
import type { Timing } from './timing.ts';

interface DispatchParts extends Pick<OutboundParts, 'clock' | 'settings'> {
  readonly seal: Pick<OutboundParts['seal'], 'problem'>;
  readonly lines: Pick<Lines, 'wait'>;
  readonly pendingSteps: PendingSteps;
  readonly attempts: Attempts;
  readonly callSender: CallSender;
  readonly timing: Pick<Timing, 'stops'>;
}

/**
 * Takes one step of a ready fax. `hold`: when the worker is lost after `submitting` was flushed, it is unknown whether
 * the transport has the fax, so a person decides.
 */
export function defineDispatch(parts: DispatchParts): JobDefinition<DispatchPayload> {
  return defineJob({
    ...dispatchJob,
    concurrency: parts.seal.problem === null ? 4 : 0,
    lost: 'hold',
    maxWaitMs: LATER_RETRY.max,
    run: (payload, run) => dispatch(parts, payload, run),
    onLost: (tx, payload) => parts.pendingSteps.settleLost(tx, payload),
  });
}

async function dispatch(
  parts: DispatchParts,
  payload: DispatchPayload,
  { attempt: tried, signal }: JobRun,
): Promise<JobResult> {
  const { clock, pendingSteps } = parts;
  const before = await pendingSteps.load(payload);
  if (before?.job.delivery_state !== 'ready') return pendingSteps.finish(payload);
  const { job } = before;
  if (isTooLate(job, clock.now()) && (await parts.timing.stops(before))) return pendingSteps.finish(payload);
  const until = endOfWait(job, clock.now());
  // Reached only when the clock was set back in the meantime.
  if (until !== null) return { kind: 'retry', at: until, reason: 'it is planned for later' };
  const pauseEnds = endOfPause(before.attempt, clock.now());
  if (pauseEnds !== null) return retryLater(clock.now(), pauseEnds);
  if (parts.settings.sendingDisabled()) return retryUntilSendingIsOn(clock.now());
  if (signal.aborted) return retryAtNextStart(clock.now());
  if (await parts.timing.stops(before)) return pendingSteps.finish(payload);
  const beginning = await parts.attempts
    .begin(job, payload.step)
    .catch((error: unknown) => handleSealError(error));
  if (beginning === 'locked') await pendingSteps.hold(before, HELD_FOR_KEY);
  if (beginning === null || beginning === 'locked') return pendingSteps.finish(payload);
  if ('waitsFor' in beginning) return waitForLine(parts, job.id);
  return parts.callSender.send(beginning.begun, { tried, signal });
}

/** It is made due when a line is free for it; in between it retries from time to time. */
function waitForLine({ clock, lines }: Pick<DispatchParts, 'clock' | 'lines'>, jobId: string): JobResult {
  const at = clock.now() + LATER_RETRY.max;
  return { kind: 'decide', decide: (tx) => lines.wait(tx, { jobId, at }) };
}

/** Handles a plan sealed with another data key, as after parts of two installations were combined. */
function handleSealError(error: unknown): 'locked' {
  if (error instanceof SealError) return 'locked';
  throw error;
}
