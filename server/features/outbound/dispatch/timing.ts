import type { WriteTx } from '../../../db/database.ts';
import { DONE, defineJob, type JobDefinition, type SettledResult } from '../../../jobs/define-job.ts';
import { epochOf } from '../../../platform/clock.ts';
import type { OutboundParts } from '../parts.ts';
import { hoursWait, isTooLate, tooLateText } from '../queue/hours.ts';
import { deadlineJob, dispatchJob, dispatchOf, type WaitPayload, waitJob } from '../queue/queued.ts';
import { endOfWait, nextLook } from '../queue/send-later.ts';
import { type Recorder, readFax } from '../record/record.ts';
import type { Fact, Fax } from '../transition/fact.ts';
import { SYSTEM } from '../types.ts';

type Parts = Pick<OutboundParts, 'db' | 'clock' | 'settings' | 'contacts'> & { readonly recorder: Recorder };

/** Interval in ms at which a fax past its latest time is looked at again while an attempt is being made. */
const UNDER_WAY_MS = 15_000;

/** Latest times of faxes, and the hours in which they may be sent. */
export interface Timing {
  /** Returns the fact about a fax past its latest time; null while there is time. */
  lateFact(job: Fax['job']): Fact | null;
  /** Ends a ready fax past its latest time, and has one outside its hours wait for them. True when it goes no further. */
  stops(fax: Fax): Promise<boolean>;
}

export function createTiming(parts: Parts): Timing {
  const lateFact: Timing['lateFact'] = (job) =>
    isTooLate(job, parts.clock.now()) ? { kind: 'too_late', sentence: tooLateText(parts, job) } : null;
  return {
    lateFact,
    async stops(fax) {
      if (fax.job.send_by === null && fax.job.send_when === 'now') return false;
      return parts.db.transaction(async (tx) => {
        const late = lateFact(fax.job);
        if (late) await parts.recorder.record(tx, fax, late, SYSTEM);
        return late !== null || (await waitForHours(parts, tx, fax));
      });
    },
  };
}

/** Returns false when the hours are open. */
async function waitForHours(parts: Parts, tx: WriteTx, fax: Fax): Promise<boolean> {
  const wait = await hoursWait(parts, tx, fax.job, parts.clock.now());
  if (wait.hours_at === null) return false;
  await parts.recorder.record(tx, fax, { kind: 'hours', ...wait }, SYSTEM);
  return true;
}

/** Ends a fax that waits at its latest time. Run twice, it ends it once. */
export function defineDeadline(parts: Parts & { readonly timing: Timing }): JobDefinition<WaitPayload> {
  return defineJob({
    ...deadlineJob,
    concurrency: 4,
    lost: 'repeat',
    run: async ({ job_id }) => ({
      kind: 'decide',
      async decide(tx) {
        const fax = await readFax(tx, job_id);
        const sendBy = fax?.job.send_by ?? null;
        if (!fax || sendBy === null) return DONE;
        const late = parts.timing.lateFact(fax.job);
        if (late === null) return { kind: 'retry', at: epochOf(sendBy), reason: 'there is time left' };
        const { delivery_state: state } = fax.job;
        // The attempt is not cut; a fax that is ready after it is not sent again.
        if (state === 'preparing' || state === 'submitting')
          return { kind: 'retry', at: parts.clock.now() + UNDER_WAY_MS, reason: 'an attempt is under way' };
        await parts.recorder.record(tx, fax, late, SYSTEM);
        return DONE;
      },
    }),
  });
}

type WaitParts = Pick<OutboundParts, 'clock' | 'queue' | 'settings' | 'contacts'> & {
  readonly recorder: Recorder;
};

/**
 * Hands a scheduled fax over to its dispatch at its time. A separate kind: a dispatch is never scheduled far ahead, so
 * that one which is can only come from a clock that was set back.
 */
export function defineWait(parts: WaitParts): JobDefinition<WaitPayload> {
  return defineJob({
    ...waitJob,
    concurrency: 4,
    lost: 'repeat',
    run: async ({ job_id }) => ({ kind: 'decide', decide: (tx) => endWait(parts, tx, job_id) }),
  });
}

async function endWait(parts: WaitParts, tx: WriteTx, jobId: string): Promise<SettledResult> {
  const fax = await readFax(tx, jobId);
  if (fax?.job.delivery_state !== 'ready') return DONE;
  const now = parts.clock.now();
  const wait = await hoursWait(parts, tx, fax.job, now);
  const { job, attempt } =
    (wait.hours_at === fax.job.hours_at
      ? null
      : await parts.recorder.record(tx, fax, { kind: 'hours', ...wait }, SYSTEM)) ?? fax;
  const until = endOfWait(job, now);
  if (until !== null) return { kind: 'retry', at: nextLook(job, until, now), reason: 'it waits for hours' };
  await parts.queue.enqueue(tx, dispatchJob, dispatchOf(job, attempt));
  return DONE;
}
