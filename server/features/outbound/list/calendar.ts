import type { z } from 'zod';
import type { outboundCalendarRoutes } from '../../../../shared/api/outbound-calendar.ts';
import { computerTimeZone } from '../../../../shared/date-format.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { isoTime } from '../../../platform/clock.ts';
import { daysAfter, spanOfDay } from '../../../platform/local-days.ts';
import { localIsoDate } from '../../../platform/local-time.ts';
import type { Caller } from '../../access/service.ts';
import { FaxRefusalError } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { findJobs } from '../store/job-list.ts';
import { listWaiting, type WaitingKey } from '../store/waiting-store.ts';
import type { FaxRecord } from '../types.ts';
import { testFaxesFor, visibleFaxes } from '../visibility.ts';
import { recordsOf } from './records.ts';

type Calendar = z.infer<(typeof outboundCalendarRoutes)['faxCalendar']['answer']['schema']>;
type CalendarFax = Calendar['days'][number]['faxes'][number];

/** Query for the calendar; days as `2026-11-23`. */
export interface CalendarRequest {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Entries of each day. */
  readonly limit: number;
  readonly include_test?: boolean | undefined;
}

/** Days that are shown when none are chosen. */
const USUAL_DAYS = 14;
/** Maximum faxes that are counted. */
const MAX_COUNTED = 20_000;

/** An entry of a day: a fax, or the first one of a broadcast with the number of the others. */
interface Entry {
  readonly key: WaitingKey;
  others: number;
}

/** Returns the waiting faxes that the caller may see by days of the installation, earliest first. */
export async function faxCalendar(
  parts: Pick<
    OutboundParts,
    'db' | 'clock' | 'settings' | 'contacts' | 'progress' | 'costs' | 'received' | 'holds'
  >,
  caller: Caller,
  request: CalendarRequest,
): Promise<Calendar> {
  const timeZone = parts.settings.timeZone();
  const days = daysOf(request, localIsoDate(parts.clock.now(), timeZone));
  const spans = days.map((date) => ({ date, ...spanOfDay(date, timeZone) }));
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) throw new FaxRefusalError('calendar_span');
  const now = isoTime(parts.clock.now());
  // A time at the first moment of the day belongs to it.
  const before = isoTime(Date.parse(first.since) - 1);
  const keys = await listWaiting(parts.db.read, {
    scope: visibleFaxes(caller),
    testFaxes: testFaxesFor(caller, request.include_test ?? false),
    after: before > now ? before : now,
    until: last.until,
    limit: MAX_COUNTED + 1,
  });
  const counted = keys.slice(0, MAX_COUNTED);
  const planned = spans.map(({ date, since, until }) => {
    const ofDay = counted.filter(({ leaves_at }) => leaves_at >= since && leaves_at < until);
    return { date, count: ofDay.length, entries: entriesOf(ofDay).slice(0, request.limit) };
  });
  const records = await recordsById(
    parts,
    caller,
    planned.flatMap(({ entries }) => entries.map(({ key }) => key.id)),
  );
  return {
    from: first.date,
    to: last.date,
    time_zone: timeZone ?? computerTimeZone(),
    count: counted.length,
    complete: keys.length === counted.length,
    days: planned.map(({ date, count, entries }) => ({
      date,
      count,
      faxes: entries.flatMap((entry) => present(entry, records.get(entry.key.id))),
      more: entries.reduce((left, { others }) => left - 1 - others, count),
    })),
  };
}

function daysOf({ from, to }: CalendarRequest, today: string): string[] {
  const first = from ?? today;
  const last = to ?? daysAfter(first, USUAL_DAYS - 1);
  const days: string[] = [];
  for (let day = first; day <= last; day = daysAfter(day, 1)) {
    if (days.length === LIMITS.calendarDays) throw new FaxRefusalError('calendar_span');
    days.push(day);
  }
  return days;
}

/** Returns the entries of a day; the faxes of a broadcast are one. */
function entriesOf(keys: readonly WaitingKey[]): Entry[] {
  const entries: Entry[] = [];
  const ofBroadcast = new Map<string, Entry>();
  for (const key of keys) {
    const first = ofBroadcast.get(key.broadcast_id ?? '');
    if (first) {
      first.others += 1;
      continue;
    }
    const entry = { key, others: 0 };
    entries.push(entry);
    if (key.broadcast_id !== null) ofBroadcast.set(key.broadcast_id, entry);
  }
  return entries;
}

async function recordsById(
  parts: Parameters<typeof faxCalendar>[0],
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, FaxRecord>> {
  const jobs = await findJobs(parts.db.read, ids);
  const records = await recordsOf(parts, caller, [...jobs.values()]);
  return new Map(records.map((record) => [record.job.id, record]));
}

/** Returns nothing for a fax that was removed since. */
function present({ key, others }: Entry, record: FaxRecord | undefined): CalendarFax[] {
  if (!record) return [];
  const { job, contact, mailbox } = record;
  return [
    {
      id: job.id,
      leaves_at: key.leaves_at,
      waits: reasonOf(key.leaves_at, job),
      send_by: job.send_by,
      to: job.to_number,
      contact: contact?.name ?? null,
      file_name: job.document_name,
      pages: job.document_pages,
      subject: job.subject,
      reference: job.reference,
      document_type: job.document_type,
      mailbox,
      created_by: { id: job.created_by, name: job.created_by_name },
      case_id: job.case_id,
      broadcast_id: job.broadcast_id,
      others,
      test: job.test === 1,
    },
  ];
}

function reasonOf(leavesAt: string, { send_at, hours_at }: FaxRecord['job']): CalendarFax['waits'] {
  if (hours_at === leavesAt) return 'hours';
  return send_at === leavesAt ? 'time' : 'together';
}
