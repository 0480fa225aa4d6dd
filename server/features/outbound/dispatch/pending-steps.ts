import type { WriteTx } from '../../../db/database.ts';
import { DONE, type JobResult } from '../../../jobs/define-job.ts';
import { nextStep } from '../attempt-state.ts';
import type { OutboundParts } from '../parts.ts';
import type { DispatchPayload } from '../queue/queued.ts';
import { endOfWait } from '../queue/send-later.ts';
import { type Recorder, readCall, readFax } from '../record/record.ts';
import { findCall, lockCalls } from '../store/call-store.ts';
import type { Fax } from '../transition/fact.ts';
import { type AttemptRow, SYSTEM } from '../types.ts';
import { LATER_RETRY } from './retry.ts';

type Parts = Pick<OutboundParts, 'db' | 'clock'> & { readonly recorder: Recorder };

/** Loads the faxes of dispatches, and settles steps that do not go on. */
export interface PendingSteps {
  /**
   * Returns the fax at the start of a run; null when the step is no longer its next one. Only one run has the lease of a
   * step, so a fax halfway through it was left by a run that could not record its outcome, e.g. because the disk was
   * full: it is settled as a lost one.
   */
  load(payload: DispatchPayload): Promise<Fax | null>;
  /**
   * Ends a run that has nothing to do, unless the fax became ready again meanwhile: as its job was still there, no other
   * one was queued.
   */
  finish(payload: DispatchPayload): JobResult;
  /** Holds a fax for the reason, a sentence. */
  hold(fax: Fax, text: string): Promise<void>;
  /** Settles a step whose worker is lost, together with every other fax of the call that worker made. */
  settleLost(tx: WriteTx, payload: DispatchPayload): Promise<void>;
}

export function createPendingSteps(parts: Parts): PendingSteps {
  return {
    load: (payload) => loadPendingFax(parts, payload),
    finish: (payload) => finishRun(parts, payload),
    async hold(fax, text) {
      await parts.db.transaction((tx) => parts.recorder.record(tx, fax, { kind: 'held', text }, SYSTEM));
    },
    settleLost: (tx, payload) => settleLost(parts, tx, payload),
  };
}

async function loadPendingFax(parts: Parts, payload: DispatchPayload): Promise<Fax | null> {
  const fax = await readFax(parts.db.read, payload.job_id);
  if (!fax || !isInStep(fax.attempt, payload.step)) return null;
  const { delivery_state } = fax.job;
  if (delivery_state !== 'preparing' && delivery_state !== 'submitting') return fax;
  await parts.db.transaction((tx) => settleLost(parts, tx, payload));
  return readFax(parts.db.read, payload.job_id);
}

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

async function settleLost(
  { recorder }: { readonly recorder: Recorder },
  tx: WriteTx,
  { job_id, step }: DispatchPayload,
): Promise<void> {
  const fax = await readFax(tx, job_id);
  if (!fax || !isInStep(fax.attempt, step)) return;
  const callId = fax.attempt?.call_id ?? null;
  const call = callId === null ? undefined : await findCall(tx, callId);
  if (call && call.lead_job_id !== job_id) return;
  for (const lost of callId === null ? [fax] : await readCall(tx, callId))
    await recorder.record(tx, lost, { kind: 'worker_lost' }, SYSTEM);
}

/** Returns true when the newest attempt carries out this step, or has yet to begin it. */
function isInStep(newest: AttemptRow | null, step: number): boolean {
  return nextStep(newest) === step;
}
