import type { z } from 'zod';
import type { outboundCalendarRoutes } from '../../../../shared/api/outbound-calendar.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { client } from '../../../api/client.ts';
import type { List, ListPage } from '../../../api/lists/list.ts';
import { useList } from '../../../api/lists/use-list.ts';

type Calendar = z.infer<(typeof outboundCalendarRoutes)['faxCalendar']['answer']['schema']>;
type Day = Calendar['days'][number];

/** A waiting fax with its day, which the first row of a day begins. */
export type WaitingFax = Day['faxes'][number] & {
  readonly day: Pick<Day, 'date' | 'count' | 'more'>;
  readonly timeZone: string;
  readonly beginsDay: boolean;
};

interface CalendarPage extends ListPage<WaitingFax> {
  readonly calendar: Calendar;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The waiting faxes of all days for which faxes can be scheduled, kept up to date, and the calendar that they come from. */
export function useCalendar(): { readonly list: List<WaitingFax>; readonly calendar: Calendar | undefined } {
  const list = useList<WaitingFax, CalendarPage>({
    key: ['fax-calendar'],
    isShort: true,
    // A fax leaves when its time comes, which may be long before it changes.
    intervalMs: MINUTE,
    read: async (_request, signal) => {
      const calendar = await client.outbound.faxCalendar({ query: await querySpan(signal), signal });
      return { calendar, items: calendar.days.flatMap((day) => rowsOf(day, calendar)), next_cursor: null };
    },
  });
  return { list, calendar: list.pages[0]?.calendar };
}

/** The gateway decides which day is today. */
async function querySpan(signal: AbortSignal) {
  const { from } = await client.outbound.faxCalendar({ query: { limit: 1 }, signal });
  const to = new Date(Date.parse(from) + (LIMITS.calendarDays - 1) * DAY).toISOString().slice(0, 10);
  return { from, to, limit: LIMITS.calendarFaxes.most };
}

function rowsOf({ faxes, date, count, more }: Day, { time_zone: timeZone }: Calendar): WaitingFax[] {
  return faxes.map((fax, index) => ({
    ...fax,
    day: { date, count, more },
    timeZone,
    beginsDay: index === 0,
  }));
}
