import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { aboutFields } from './outbound-about-shapes.ts';
import { defineRoute } from './route.ts';
import { Id, IncludeTest, OptionalTime, Time } from './values.ts';

const room = 'outbound';
const Count = z.number().int().min(0);
const Day = z.iso.date();
const { usual, most } = LIMITS.calendarFaxes;

/** Reasons why a fax waits for a time. */
const CALENDAR_REASONS = ['time', 'hours', 'together'] as const;

const CalendarFax = z
  .strictObject({
    id: Id,
    leaves_at: Time.describe('time when it is sent'),
    waits: z
      .enum(CALENDAR_REASONS)
      .describe(
        '`time` for its scheduled time, `hours` for cheap hours or those of the recipient, `together` for other faxes to its number',
      ),
    send_by: OptionalTime.describe('latest time to begin sending it, else it fails; null for no limit'),
    to: z.string().describe('E.164'),
    contact: z.string().nullable().describe('name of the contact with the number; requires contacts:read'),
    file_name: z.string().describe('name of its document'),
    pages: Count.describe('number of pages of its document'),
    ...aboutFields,
    mailbox: z.string().nullable().describe('label of the mailbox it is sent for'),
    created_by: z.strictObject({ id: Id, name: z.string() }),
    case_id: Id.nullable().describe('case of which it is a packet; null for other faxes'),
    broadcast_id: Id.nullable().describe('broadcast that it belongs to; null for other faxes'),
    others: Count.describe('number of further faxes of the same broadcast on that day'),
    test: z.boolean().describe('true for a test fax'),
  })
  .meta({ id: 'CalendarFax' });

const CalendarDay = z
  .strictObject({
    date: Day.describe('the day, e.g. `2026-11-23`'),
    count: Count.describe('number of faxes that are to be sent on this day'),
    faxes: z.array(CalendarFax).describe('earliest first; one for all of a broadcast'),
    more: Count.describe('number of faxes of the day beyond those in `faxes`'),
  })
  .meta({ id: 'CalendarDay' });

const faxCalendar = defineRoute({
  id: 'getFaxCalendar',
  room,
  method: 'GET',
  path: '/fax/scheduled',
  summary: 'List the faxes that wait for their time, by day',
  description:
    'Lists each day of the span, with the faxes that wait for a scheduled time, for hours, or to be sent together with others. Days are those of the time zone of the installation.',
  access: 'fax:read',
  anywhere: true,
  query: z.strictObject({
    from: Day.optional().describe('first day; today if left out'),
    to: Day.optional().describe(
      `last day, at most ${LIMITS.calendarDays} days from the first; two weeks from the first if left out`,
    ),
    limit: z.coerce.number().int().min(1).max(most).default(usual).describe('entries of each day'),
    include_test: IncludeTest,
  }),
  answer: {
    status: 200,
    schema: z
      .strictObject({
        from: Day.describe('first day'),
        to: Day.describe('last day'),
        time_zone: z.string().describe('time zone of the days'),
        count: Count.describe('number of faxes that are to be sent in these days'),
        complete: z
          .boolean()
          .describe('false if more faxes wait than were counted; the later days may then lack some'),
        days: z.array(CalendarDay).describe('every day of the span'),
      })
      .meta({ id: 'FaxCalendar' }),
  },
  refusals: ['calendar_span'],
});

export const outboundCalendarRoutes = { faxCalendar } as const;
