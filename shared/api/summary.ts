import { z } from 'zod';
import type { Permission } from '../permissions.ts';
import { SUMMARY_STATES } from '../states/summary.ts';
import { defineRoute } from './route.ts';
import { Costs } from './routing-costs.ts';
import { OptionalTime, Time } from './values.ts';

const room = 'summary';
const Count = z.int().min(0);
const Day = z.iso.date().describe('where the installation is');

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
    received: Count.describe('documents that were filed that day, without test faxes'),
    incomplete: Count.describe('received faxes that were recorded that day and may lack pages'),
    late: Count.describe('of those, how many were not acknowledged in time'),
    overdue_now: Count.describe('open work items past their due time'),
    failed: Count.describe('faxes whose sending failed that day'),
    to_confirm_now: Count.describe('sent faxes whose outcome a person has to find out'),
    mails_to_check_now: Count.describe('e-mails with received faxes that failed or need a check'),
    costs: Costs.shape.all,
  })
  .meta({ id: 'SummaryFigures' });

export const Summary = z
  .strictObject({
    day: Day.describe('the last whole day'),
    figures: SummaryFigures,
    sent: z
      .array(
        z.strictObject({
          day: Day,
          state: z.enum(SUMMARY_STATES),
          sentence: z.string().nullable().describe('what keeps it from being delivered'),
          retry_at: OptionalTime,
          updated_at: Time,
        }),
      )
      .describe('the newest 30, newest first'),
  })
  .meta({ id: 'Summary' });

export const SummarySent = z
  .strictObject({ day: Day, ok: z.boolean(), detail: z.string().describe('what happened, for a person') })
  .meta({ id: 'SummarySent' });

export const summaryRoutes = {
  readSummary: defineRoute({
    id: 'readSummary',
    room,
    method: 'GET',
    path: '/summary',
    summary: 'The figures of the last whole day, and what became of the summaries sent by e-mail',
    description: `Takes ${SUMMARY_SHOWS.join(', ')} for the whole installation as well: that is what it shows.`,
    access: 'settings:write',
    answer: { status: 200, schema: Summary },
    refusals: ['setting_opens_more'],
  }),
  sendSummary: defineRoute({
    id: 'sendSummary',
    room,
    method: 'POST',
    path: '/summary/send',
    summary: 'Send the summary of the last whole day now',
    description:
      'To everybody in SUMMARY_RECIPIENTS by the connector SUMMARY_CONNECTOR, whether it was sent before or not. The answer names what failed.',
    access: 'settings:write',
    audited: { operation: 'summary.send', target: 'summary' },
    answer: { status: 200, schema: SummarySent },
  }),
} as const;
