import { type IntakeChannel, isIntakeChannel } from '../../../../shared/credential-kinds.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { WriteTx } from '../../../db/database.ts';
import { DONE, defineJob, type JobDefinition } from '../../../jobs/define-job.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { localMoment } from '../../../platform/local-time.ts';
import { FaxRefusalError } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { newestAttempt } from '../store/attempt-store.ts';
import { findJob } from '../store/job-store.ts';
import type { Actor, AttemptRow, JobRow } from '../types.ts';
import type { Lines } from './lines.ts';
import { dispatchJob, dispatchOf, type WaitPayload, waitJob, waitOf } from './queued.ts';

const DAY_MS = 24 * 3_600_000;
/** Uploading takes its time: what was to leave a moment ago leaves at once. */
const PAST_TOLERANCE_MS = 10 * 60_000;

/** Refuses a time that is long past, or so far ahead that people would forget the fax. */
export function checkSendAt(sendAt: string | null, now: number): void {
  if (sendAt === null) return;
  const ahead = epochOf(sendAt) - now;
  if (ahead < -PAST_TOLERANCE_MS) throw new FaxRefusalError('send_time_past');
  if (ahead > LIMITS.sendAheadDays * DAY_MS)
    throw new FaxRefusalError('send_time_too_far', {
      sentence: `A fax can be scheduled at most ${LIMITS.sendAheadDays} days ahead. Choose an earlier time. Nothing was sent.`,
    });
}

/** Returns the time until which the fax waits, in epoch ms; null when it has passed or there is none. */
export function endOfWait(
  { send_at, together_at }: Pick<JobRow, 'send_at' | 'together_at'>,
  now: number,
): number | null {
  const times = [send_at, together_at].flatMap((time) => (time === null ? [] : epochOf(time)));
  const at = Math.max(now, ...times);
  return at > now ? at : null;
}

/** Plans the sending of a fax that is ready: at once, or at its time. */
export async function planSending(
  parts: Pick<OutboundParts, 'queue' | 'clock'>,
  tx: WriteTx,
  job: JobRow,
  newest: AttemptRow | null,
): Promise<void> {
  const until = endOfWait(job, parts.clock.now());
  if (until === null) await parts.queue.enqueue(tx, dispatchJob, dispatchOf(job, newest));
  else await parts.queue.enqueue(tx, waitJob, waitOf(job.id, until));
}

/** Takes back what `planSending` planned. */
export async function withdrawSending(
  parts: Pick<OutboundParts, 'queue'> & { readonly lines: Lines },
  tx: WriteTx,
  job: JobRow,
  newest: AttemptRow | null,
): Promise<void> {
  await parts.queue.withdraw(tx, dispatchOf(job, newest).key);
  await parts.queue.withdraw(tx, waitOf(job.id, 0).key);
  await parts.lines.leave(tx, job.id);
}

/**
 * Hands a scheduled fax over to its dispatch at its time. A separate kind: a dispatch is never scheduled far ahead, so
 * that one which is can only come from a clock that was set back.
 */
export function defineWait(parts: Pick<OutboundParts, 'db' | 'queue'>): JobDefinition<WaitPayload> {
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

/** Sentence of the history for a fax that was accepted by a channel. */
const CHANNEL_SENTENCES: Readonly<Record<IntakeChannel, string>> = {
  send_folder: 'It was left in the send folder.',
  send_mailbox: 'It arrived by e-mail.',
  assistant: 'An assistant sent it.',
};

/** Returns the history text of an accepted fax, with its intake channel when it did not come by a request. */
export function acceptedText(
  parts: Pick<OutboundParts, 'clock' | 'settings'>,
  job: JobRow,
  { credentialKind }: Actor,
): string {
  const accepted = [sendTimeText(parts, job), job.route_reason].filter((text) => text !== null).join(' ');
  return isIntakeChannel(credentialKind) ? `${accepted} ${CHANNEL_SENTENCES[credentialKind]}` : accepted;
}

function sendTimeText(parts: Pick<OutboundParts, 'clock' | 'settings'>, job: JobRow): string {
  if (job.held_reason !== null) return `Accepted. ${job.held_reason}`;
  if (job.delivery_state === 'held') return 'Accepted and held, because sending is off.';
  const until = endOfWait(job, parts.clock.now());
  if (until === null) return 'Accepted and ready to be sent.';
  const isScheduled = job.send_at !== null && epochOf(job.send_at) >= until;
  const together = isScheduled ? '' : ', together with other faxes to this number';
  return `Accepted. It will be sent on ${formatSendTime(parts, until)}${together}.`;
}

/** Returns the history text of a fax that a person rescheduled. */
export function rescheduledText(parts: Pick<OutboundParts, 'settings'>, sendAt: string | null): string {
  if (sendAt === null) return 'Sent now instead of at the scheduled time.';
  return `Moved to another time. It will be sent on ${formatSendTime(parts, epochOf(sendAt))}.`;
}

/** Formats a time for the history, in the time zone of the office. */
export function formatSendTime({ settings }: Pick<OutboundParts, 'settings'>, at: number): string {
  return localMoment(at, { country: settings.country(), timeZone: settings.timeZone() });
}

/** The time as it is stored; null for none. */
export function storedSendAt(given: string | null | undefined): string | null {
  return given === undefined || given === null ? null : isoTime(epochOf(given));
}
