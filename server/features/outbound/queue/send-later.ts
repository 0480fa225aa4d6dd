import { type IntakeChannel, isIntakeChannel } from '../../../../shared/credential-kinds.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { WriteTx } from '../../../db/database.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { localMoment } from '../../../platform/local-time.ts';
import { FaxRefusalError } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import type { Actor, AttemptRow, HoursWait, JobRow } from '../types.ts';
import type { Lines } from './lines.ts';
import { deadlineJob, deadlineOf, dispatchJob, dispatchOf, waitJob, waitOf } from './queued.ts';

const DAY_MS = 24 * 3_600_000;
const HOURS_LOOK_MS = 60 * 60_000;
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
  { send_at, together_at, hours_at }: Pick<JobRow, 'send_at' | 'together_at' | 'hours_at'>,
  now: number,
): number | null {
  const times = [send_at, together_at, hours_at].flatMap((time) => (time === null ? [] : epochOf(time)));
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
  else await parts.queue.enqueue(tx, waitJob, waitOf(job.id, nextLook(job, until, parts.clock.now())));
}

/** Hours that are waited for may be changed meanwhile, so they are looked at from time to time. */
export function nextLook({ hours_at }: Pick<JobRow, 'hours_at'>, until: number, now: number): number {
  return hours_at === null ? until : Math.min(until, now + HOURS_LOOK_MS);
}

/** Plans the end of a fax at its latest time, in place of an earlier plan. */
export async function planDeadline(
  { queue }: Pick<OutboundParts, 'queue'>,
  tx: WriteTx,
  { id, send_by }: Pick<JobRow, 'id' | 'send_by'>,
): Promise<void> {
  const planned = deadlineOf(id, send_by === null ? 0 : epochOf(send_by));
  await queue.withdraw(tx, planned.key);
  if (send_by !== null) await queue.enqueue(tx, deadlineJob, planned);
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

/** Returns the sentence about the channel in the history text of an accepted fax; null where it came by a request. */
export function intakeSentence(text: string): string | null {
  return Object.values(CHANNEL_SENTENCES).find((sentence) => text.endsWith(` ${sentence}`)) ?? null;
}

function sendTimeText(parts: Pick<OutboundParts, 'clock' | 'settings'>, job: JobRow): string {
  if (job.held_reason !== null) return `Accepted. ${job.held_reason}`;
  if (job.delivery_state === 'held') return 'Accepted and held, because sending is off.';
  const until = endOfWait(job, parts.clock.now());
  if (until === null) return 'Accepted and ready to be sent.';
  if (job.hours_reason !== null && job.hours_at !== null && epochOf(job.hours_at) >= until)
    return `Accepted. ${job.hours_reason}`;
  const isScheduled = job.send_at !== null && epochOf(job.send_at) >= until;
  const together = isScheduled ? '' : ', together with other faxes to this number';
  return `Accepted. It will be sent on ${formatSendTime(parts, until)}${together}.`;
}

/** Returns the history text of a fax that a person rescheduled. */
export function rescheduledText(
  parts: Pick<OutboundParts, 'settings'>,
  sendAt: string | null,
  { hours_reason }: HoursWait,
): string {
  if (hours_reason !== null) return `Moved to another time. ${hours_reason}`;
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
