import { z } from 'zod';
import type { Permission } from '../permissions.ts';
import { SUMMARY_STATES } from '../states/summary.ts';
import { defineRoute } from './route.ts';
import { Costs } from './routing-costs.ts';
import { OptionalTime, Time } from './values.ts';

const room = 'summary';
const Count = z.int().min(0);
const Day = z.iso.date().describe('day in the installation’s time zone');

/** Permissions that reading a summary, or choosing its receivers, takes: its figures are of all of these. */
export const SUMMARY_SHOWS: readonly Permission[] = [
  'fax:read',
  'inbound:list',
  'work:read',
  'routing:read',
  'mailboxes:read',
];

/** Figures of one day in a summary. */
export const SummaryFigures = z
  .strictObject({
    received: Count.describe('number of documents filed that day, without test faxes'),
    incomplete: Count.describe('number of received faxes recorded that day that may have missing pages'),
    late: Count.describe('number of the documents that were not acknowledged in time'),
    direct: Count.describe(
      'number of documents that partners delivered directly that day, without a work item; no other figure includes them',
    ),
    junk: Count.describe(
      'number of received faxes recorded that day that are in Junk; no other figure includes them',
    ),
    overdue_now: Count.describe('number of open work items past their due time'),
    failed: Count.describe('number of faxes that failed that day'),
    to_confirm_now: Count.describe('number of sent faxes that need confirmation'),
    mails_to_check_now: Count.describe('number of e-mails with received faxes that failed or need a check'),
    printouts_to_check_now: Count.describe('number of printouts that failed or need a check'),
    costs: Costs.shape.all,
  })
  .meta({ id: 'SummaryFigures' });

export const Summary = z
  .strictObject({
    day: Day.describe('the last full day'),
    figures: SummaryFigures,
    sent: z
      .array(
        z.strictObject({
          day: Day,
          state: z.enum(SUMMARY_STATES),
          sentence: z.string().nullable().describe('reason why it is not delivered'),
          retry_at: OptionalTime,
          updated_at: Time,
        }),
      )
      .describe('newest 30, newest first'),
  })
  .meta({ id: 'Summary' });

export const SummarySent = z
  .strictObject({ day: Day, ok: z.boolean(), detail: z.string().describe('result as a sentence for people') })
  .meta({ id: 'SummarySent' });

export const summaryRoutes = {
  readSummary: defineRoute({
    id: 'readSummary',
    room,
    method: 'GET',
    path: '/summary',
    summary: 'Get the figures of the last full day and the results of the summaries sent by e-mail',
    description: `Also requires ${SUMMARY_SHOWS.join(', ')} for the whole installation, because the summary shows this data.`,
    access: 'settings:write',
    answer: { status: 200, schema: Summary },
    refusals: ['setting_opens_more'],
  }),
  sendSummary: defineRoute({
    id: 'sendSummary',
    room,
    method: 'POST',
    path: '/summary/send',
    summary: 'Send the summary of the last full day now',
    description:
      'It is sent to everyone in SUMMARY_RECIPIENTS through the connector SUMMARY_CONNECTOR, even if it was sent before. The response says what failed.',
    access: 'settings:write',
    audited: { operation: 'summary.send', target: 'summary' },
    answer: { status: 200, schema: SummarySent },
  }),
} as const;
