import { LIMITS } from '../../../../shared/limits.ts';
import type { WriteTx } from '../../../db/database.ts';
import { DONE, defineJob, type JobDefinition } from '../../../jobs/define-job.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { dispatchJob, dispatchOf, type WaitPayload, waitJob, waitOf } from '../dispatch/queued.ts';
import { FaxRefusalError } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { newestAttempt } from '../store/attempt-store.ts';
import { findJob } from '../store/job-store.ts';
import type { AttemptRow, JobRow } from '../types.ts';

const DAY_MS = 24 * 3_600_000;
/** Uploading takes its time: what was to leave a moment ago leaves at once. */
const JUST_PASSED_MS = 10 * 60_000;

/** Refuses a time that is long past, or so far ahead that nobody remembers the fax. */
export function checkSendAt(sendAt: string | null, now: number): void {
  if (sendAt === null) return;
  const ahead = epochOf(sendAt) - now;
  if (ahead < -JUST_PASSED_MS) throw new FaxRefusalError('send_time_past');
  if (ahead > LIMITS.sendAheadDays * DAY_MS)
    throw new FaxRefusalError('send_time_too_far', {
      sentence: `A fax can be scheduled at most ${LIMITS.sendAheadDays} days ahead. Choose an earlier time. Nothing was sent.`,
    });
}

/** When the time of the fax comes (epoch milliseconds); null when it has come or there is none. */
export function waitsUntil({ send_at }: Pick<JobRow, 'send_at'>, now: number): number | null {
  const at = send_at === null ? now : epochOf(send_at);
  return at > now ? at : null;
}

/** Plans the sending of a fax that is ready: at once, or at its time. */
export async function planSending(
  parts: OutboundParts,
  tx: WriteTx,
  job: JobRow,
  newest: AttemptRow | null,
): Promise<void> {
  const until = waitsUntil(job, parts.clock.now());
  if (until === null) await parts.queue.enqueue(tx, dispatchJob, dispatchOf(job, newest));
  else await parts.queue.enqueue(tx, waitJob, waitOf(job.id, until));
}

/** Takes back what `planSending` planned. */
export async function withdrawSending(
  parts: OutboundParts,
  tx: WriteTx,
  job: JobRow,
  newest: AttemptRow | null,
): Promise<void> {
  await parts.queue.withdraw(tx, dispatchOf(job, newest).key);
  await parts.queue.withdraw(tx, waitOf(job.id, 0).key);
}

/**
 * Hands a planned fax over to its dispatch when its time has come. A kind of its own: a dispatch is never planned far
 * ahead, so that one which is can only come from a clock that was set back.
 */
export function defineWait(parts: OutboundParts): JobDefinition<WaitPayload> {
  return defineJob({
    ...waitJob,
    concurrency: 4,
    lost: 'repeat',
    run: async ({ job_id }) => {
      await parts.db.transaction(async (tx) => {
        const job = await findJob(tx, job_id);
        if (job?.delivery_state !== 'ready') return;
        const newest = await newestAttempt(tx, job_id);
        await parts.queue.enqueue(tx, dispatchJob, dispatchOf(job, newest ?? null));
      });
      return DONE;
    },
  });
}

/** What the history says of an accepted fax. */
export function acceptedText(parts: OutboundParts, job: JobRow): string {
  if (job.delivery_state === 'held') return 'Accepted and held, because sending is off.';
  const until = waitsUntil(job, parts.clock.now());
  if (until === null) return 'Accepted and ready to be sent.';
  return `Accepted; it is sent ${localTime(until, parts.settings.timeZone())}.`;
}

/** For example `on 22 November 2026 at 08:00 CET`. */
function localTime(at: number, timeZone: string | null): string {
  const zone = { timeZone: timeZone ?? 'UTC' };
  const day = new Intl.DateTimeFormat('en-GB', { ...zone, dateStyle: 'long' }).format(at);
  const hour = new Intl.DateTimeFormat('en-GB', {
    ...zone,
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
  return `on ${day} at ${hour}`;
}

/** The time as it is stored; null for none. */
export function storedSendAt(given: string | undefined): string | null {
  return given === undefined ? null : isoTime(epochOf(given));
}
