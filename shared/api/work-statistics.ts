import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { defineRoute } from './route.ts';
import { AnyTime, Id, Time } from './values.ts';

const room = 'work';
const Count = z.number().int().min(0);
const Median = Count.nullable().describe('median in whole seconds; null if there is none');

const figures = {
  in_time: Count.describe('number acknowledged or done before the due time'),
  late: Count.describe('number not acknowledged by the due time'),
  acknowledged: Count,
  median_acknowledge_seconds: Median,
  done: Count,
  median_done_seconds: Median,
  open_now: Count.describe('number of open items, regardless of the time span'),
  overdue_now: Count.describe('number of open items that are overdue'),
} as const;

const DocumentFigures = z.strictObject({
  received: Count.describe('total of in time, late, awaited and without a target'),
  awaited: Count.describe('number not acknowledged and not due yet'),
  without_target: Count,
  ...figures,
});

export const WorkStatistics = z
  .strictObject({
    since: Time,
    until: Time,
    archived: z
      .number()
      .int()
      .min(0)
      .describe('received faxes of the span that were removed after they were archived; no figure has them'),
    all: DocumentFigures,
    mailboxes: z
      .array(
        z.strictObject({
          mailbox_id: Id.nullable(),
          label: z.string().nullable().describe('null for items in no mailbox'),
          ...DocumentFigures.shape,
        }),
      )
      .describe('mailboxes with at least one item, by label'),
    people: z
      .array(
        z.strictObject({
          principal_id: Id.nullable().describe('null for items without an owner'),
          name: z.string().nullable(),
          ...figures,
        }),
      )
      .describe('people by name, with the items that they acknowledged, marked as done, and have now'),
  })
  .meta({ id: 'WorkStatistics' });

const days = LIMITS.statisticsDays;
const span = {
  since: AnyTime.optional().describe('start of the time span; otherwise 30 days before the end'),
  until: AnyTime.optional().describe(`end of the time span, at most ${days} days later; otherwise now`),
};

export const workStatisticsRoutes = {
  workStatistics: defineRoute({
    id: 'getWorkStatistics',
    room,
    method: 'GET',
    path: '/work/statistics',
    summary: 'Get how fast received documents are acknowledged and done, by mailbox and person',
    description:
      'Includes documents filed in the time span, with the current state of their items: an item that was reopened, or reassigned before it was done, is no longer acknowledged. Times are counted from filing. Test faxes are not included.',
    access: 'work:read',
    query: z.strictObject(span),
    answer: { status: 200, schema: WorkStatistics },
    refusals: ['wrong_span'],
  }),
  exportWorkStatistics: defineRoute({
    id: 'exportWorkStatistics',
    room,
    method: 'GET',
    path: '/work/statistics/export',
    summary: 'Download the statistics of the work queue as a file',
    description:
      '`csv` has one line for the total, one for each mailbox and one for each person. It is safe to open in a spreadsheet.',
    access: 'work:read',
    query: z.strictObject({ format: z.literal('csv').default('csv'), ...span }),
    answer: { status: 200, contentType: 'text/csv' },
    refusals: ['wrong_span'],
  }),
} as const;
