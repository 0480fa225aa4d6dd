import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { defineRoute } from './route.ts';
import { AnyTime, Id, Time } from './values.ts';

const room = 'work';
const Count = z.number().int().min(0);
const Median = Count.nullable().describe('half took at most so many whole seconds; null where there is none');

const figures = {
  in_time: Count.describe('acknowledged or done before the due time passed'),
  late: Count.describe('not acknowledged when the due time passed'),
  acknowledged: Count,
  median_acknowledge_seconds: Median,
  done: Count,
  median_done_seconds: Median,
  open_now: Count.describe('whenever its document was filed'),
  overdue_now: Count.describe('of those open now'),
} as const;

const DocumentFigures = z.strictObject({
  received: Count.describe('in time, late, awaited and without a target together'),
  awaited: Count.describe('not acknowledged, and not due yet'),
  without_target: Count,
  ...figures,
});

export const WorkStatistics = z
  .strictObject({
    since: Time,
    until: Time,
    all: DocumentFigures,
    mailboxes: z
      .array(
        z.strictObject({
          mailbox_id: Id.nullable(),
          label: z.string().nullable().describe('null for what is in no mailbox'),
          ...DocumentFigures.shape,
        }),
      )
      .describe('by label; only those with an item'),
    people: z
      .array(
        z.strictObject({
          principal_id: Id.nullable().describe('null for what nobody owns'),
          name: z.string().nullable(),
          ...figures,
        }),
      )
      .describe('by name; what each of them acknowledged and marked as done, and owns now'),
  })
  .meta({ id: 'WorkStatistics' });

const days = LIMITS.statisticsDays;
const span = {
  since: AnyTime.optional().describe('filed at this time or later; else 30 days before the end'),
  until: AnyTime.optional().describe(`filed before this time, at most ${days} days later; else now`),
};

export const workStatisticsRoutes = {
  workStatistics: defineRoute({
    id: 'workStatistics',
    room,
    method: 'GET',
    path: '/work/statistics',
    summary: 'How fast received documents are acknowledged and done, by mailbox and person',
    description:
      'Of documents filed in a span of time, as their items stand now: what was reopened, or given to someone else before it was done, is not acknowledged any more. Times count from the filing. Test faxes are left out.',
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
    summary: 'The statistics of the work queue as a file',
    description:
      '`csv`: a line for everything, one for each mailbox and one for each person, safe to open in a spreadsheet.',
    access: 'work:read',
    query: z.strictObject({ format: z.literal('csv').default('csv'), ...span }),
    answer: { status: 200, contentType: 'text/csv' },
    refusals: ['wrong_span'],
  }),
} as const;
