import type { ReadDb } from '../../../db/database.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { nextOpen } from '../../../platform/local-hours.ts';
import { localMoment } from '../../../platform/local-time.ts';
import { FaxRefusalError } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import type { HoursWait, JobRow } from '../types.ts';

type Parts = Pick<OutboundParts, 'settings' | 'contacts'>;
type Timed = Pick<JobRow, 'to_number' | 'send_at' | 'send_when'>;

export const NO_HOURS_WAIT: HoursWait = { hours_at: null, hours_reason: null };

/**
 * Returns the hours that a fax has to wait for, at `now` or from its time on. Read anew before each attempt: the hours of the
 * contact and of the installation may have changed. Hours that never come, or were removed, hold nothing back.
 */
export async function hoursWait(parts: Parts, db: ReadDb, job: Timed, now: number): Promise<HoursWait> {
  if (job.send_when === 'now') return NO_HOURS_WAIT;
  const from = Math.max(now, job.send_at === null ? 0 : epochOf(job.send_at));
  const { country, timeZone: installed, cheapHours } = parts.settings;
  const isCheap = job.send_when === 'cheap_hours';
  const contact = isCheap ? null : await parts.contacts.preferencesFor(job.to_number, db);
  const hours = isCheap ? cheapHours() : (contact?.allowedHours ?? []);
  const timeZone = contact?.timeZone ?? installed();
  const opens = nextOpen(hours, from, timeZone);
  if (opens === null || opens === from) return NO_HOURS_WAIT;
  const moment = localMoment(opens, { country: country(), timeZone });
  const where = isCheap ? 'for the cheap hours' : 'in the recipient’s office';
  return { hours_at: isoTime(opens), hours_reason: `Waits until ${moment} ${where}.` };
}

/** True once no attempt of the fax may begin any more. */
export function isTooLate({ send_by }: Pick<JobRow, 'send_by'>, now: number): boolean {
  return send_by !== null && now >= epochOf(send_by);
}

/** Returns the sentence about a fax that could not be sent in time. */
export function tooLateText(
  { settings }: Pick<OutboundParts, 'settings'>,
  { send_by }: Pick<JobRow, 'send_by'>,
): string {
  const latest = localMoment(epochOf(send_by ?? ''), {
    country: settings.country(),
    timeZone: settings.timeZone(),
  });
  return `It could not be sent by ${latest}, the latest time that was set for it.`;
}

/** Refuses a latest time that has passed, or that leaves no time after the scheduled one. */
export function checkSendBy({ send_at, send_by }: Pick<JobRow, 'send_at' | 'send_by'>, now: number): void {
  if (send_by === null) return;
  if (epochOf(send_by) <= now) throw new FaxRefusalError('send_by_past');
  if (send_at !== null && send_by <= send_at) throw new FaxRefusalError('send_by_too_early');
}

/** Refuses cheap hours that are not set, and hours that begin too late. */
export function checkHours(
  { settings }: Pick<OutboundParts, 'settings'>,
  { send_by, send_when }: Pick<JobRow, 'send_by' | 'send_when'>,
  { hours_at, hours_reason }: HoursWait,
): void {
  if (send_when === 'cheap_hours' && settings.cheapHours().length === 0)
    throw new FaxRefusalError('no_cheap_hours');
  if (send_by !== null && hours_at !== null && hours_at >= send_by)
    throw new FaxRefusalError('send_by_before_hours', {
      sentence: `${hours_reason ?? ''} That is not before the latest time to send it. Choose a later one, or another time. Nothing was sent.`,
    });
}
