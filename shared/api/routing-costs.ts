import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { COST_CERTAINTIES, COST_STATES } from '../states/routing.ts';
import { ContactRef } from './contacts.ts';
import { defineRoute } from './route.ts';
import { DeliveryRouteRef } from './routing-routes.ts';
import { AnyTime, BackendName, FormFlag, Id, Time, Version } from './values.ts';

const room = 'routing';

export const Money = z
  .strictObject({ amount: z.string().describe('decimal'), currency: z.string().length(3) })
  .meta({ id: 'Money' });

export const AttemptCost = z
  .strictObject({
    state: z
      .enum(COST_STATES)
      .describe('`charged` while the provider is still asked what it bills, up to 7 days'),
    estimated: Money.nullable().describe('by the rate card when the attempt began; null while unknown'),
    charged: Money.nullable().describe('null while unknown, and never 0 for unknown'),
    certainty: z
      .enum(COST_CERTAINTIES)
      .nullable()
      .describe('as the provider reported it, or calculated by the rate card'),
    rate_card: z.strictObject({ id: Id, version: Version }).nullable(),
  })
  .meta({ id: 'AttemptCost' });

const Count = z.int().min(0);

export const QuotedRoute = z
  .strictObject({
    backend: BackendName,
    name: z.string().describe('what people call it: the route, else the provider'),
    route: DeliveryRouteRef.nullable().describe('null for the provider of the settings'),
    chosen_by: z.string().describe('why the fax would take it, and why in this place, in a sentence'),
    seconds: Count.describe('estimated time on the line; 0 where no call is made'),
    free: z.boolean().describe('nothing is billed: no call is made'),
    amount: Money.nullable().describe('null while unknown, and never 0 for unknown'),
    rate_card: z
      .strictObject({
        id: Id,
        version: Version,
        prefix: z.string().describe('what the number begins with; empty for a card of all numbers'),
        source: z.string(),
        valid_from: Time,
      })
      .nullable(),
    reason: z.string().describe('how the amount comes about, or why it is not known, in a sentence'),
  })
  .meta({ id: 'QuotedWay' });

export const Quote = z
  .strictObject({
    to: z.string().describe('E.164'),
    country: z.string().nullable().describe('ISO 3166; null where the number has none'),
    pages: Count,
    seconds: Count,
    seconds_from: z
      .enum(['given', 'pages'])
      .describe('as the request gave them, or those of so many ordinary pages'),
    ways: z.array(QuotedRoute).describe('in the order in which the fax would take them'),
    held: z
      .string()
      .nullable()
      .describe('why a spending limit would hold it, in a sentence; null where none would'),
    refusal: z.string().nullable().describe('why no fax can be sent to the number now; else null'),
    has_rate_cards: z.boolean().describe('false while nobody has entered what anything costs'),
  })
  .meta({ id: 'Quote' });

export const COST_GROUPS = ['day', 'route', 'mailbox', 'person', 'country'] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

const sums = {
  amounts: z.array(Money).describe('one of each currency, by its code; different currencies are never added'),
  known: Count.describe('attempts in these amounts'),
  unknown: Count.describe('attempts of unknown cost, which are in no amount'),
};

export const Costs = z
  .strictObject({
    from: z.iso.date(),
    to: z.iso.date(),
    group_by: z.enum(COST_GROUPS),
    all: z.strictObject(sums),
    rows: z
      .array(
        z.strictObject({
          key: z
            .string()
            .nullable()
            .describe('date, id, country, or of faxes by no route the backend; null for none'),
          name: z.string().nullable().describe('in words; null for none'),
          ...sums,
        }),
      )
      .describe('days and names in order'),
  })
  .meta({ id: 'Costs' });

export const ExpensiveNumbers = z
  .strictObject({
    month: z.string(),
    numbers: z
      .array(
        z.strictObject({
          number: z.string(),
          contact: ContactRef.nullable().describe('whose the number is; needs contacts:read'),
          ...Money.shape,
          attempts: Count,
        }),
      )
      .nullable()
      .describe('dearest first, at most ten of each currency; null for who may not see all sent faxes'),
  })
  .meta({ id: 'DearNumbers' });

export const Plan = z
  .strictObject({
    rate_card: z.strictObject({ id: Id, version: Version }),
    backend: BackendName,
    name: z.string().describe('what people call it'),
    route: DeliveryRouteRef.nullable().describe(
      'by which the faxes go that it prices; null for all by the provider',
    ),
    prefixes: z.array(z.string()).describe('what the numbers begin with; empty for all'),
    monthly_fee: Money.nullable().describe('in no sum of costs'),
    included_pages: Count.nullable().describe('pages of each month that the fee pays for; null for none'),
    used_pages: Count.describe('of them, by attempts of the month that have ended'),
    left_pages: Count.nullable().describe('null where none are included'),
  })
  .meta({ id: 'Plan' });

export const Plans = z
  .strictObject({
    month: z.string().describe('this one, where the installation is'),
    plans: z.array(Plan).describe('of the rate cards in force now, by name'),
    fees: z.array(Money).describe('their monthly fees together, one of each currency'),
  })
  .meta({ id: 'Plans' });

const span = {
  from: z.iso.date().optional().describe('first day, where the installation is; else the first of the month'),
  to: z.iso
    .date()
    .optional()
    .describe(`last day, at most ${LIMITS.statisticsDays} days after the first; else today`),
  group_by: z.enum(COST_GROUPS).default('day'),
};

export const costRoutes = {
  quote: defineRoute({
    id: 'quote',
    room,
    method: 'GET',
    path: '/routing/quote',
    summary: 'What a fax would take and cost',
    description:
      'For each way that could carry it. A fax that is sent then with as many pages and seconds is estimated at the same amount.',
    access: 'fax:send',
    anywhere: true,
    query: z.strictObject({
      to: z.string().min(1).max(40).describe('with +, or a national number of the default country'),
      pages: z.coerce.number().int().min(1).max(LIMITS.quotedPages),
      seconds: z.coerce
        .number()
        .int()
        .min(0)
        .max(LIMITS.quotedSeconds)
        .optional()
        .describe('of the call, as a preview estimates them; left out: those of ordinary pages'),
      by_call: FormFlag.default(false).describe('a call is placed even to our own number'),
      send_at: AnyTime.optional().describe('when it leaves, for `held`; left out: now'),
    }),
    answer: { status: 200, schema: Quote },
    refusals: ['invalid_fax_number'],
  }),
  costs: defineRoute({
    id: 'costs',
    room,
    method: 'GET',
    path: '/routing/costs',
    summary: 'What faxes cost, by day, route, mailbox, person or destination country',
    description:
      'Of attempts that began on these days and have ended. Amounts are known as the provider reported them, or calculated by the rate card. Monthly fees are not in them.',
    access: 'routing:read',
    query: z.strictObject(span),
    answer: { status: 200, schema: Costs },
    refusals: ['wrong_span'],
  }),
  exportCosts: defineRoute({
    id: 'exportCosts',
    room,
    method: 'GET',
    path: '/routing/costs/export',
    summary: 'The same as a file',
    description:
      '`csv`: a line for each row and currency, and one for what is unknown, safe to open in a spreadsheet.',
    access: 'routing:read',
    query: z.strictObject({ format: z.literal('csv').default('csv'), ...span }),
    answer: { status: 200, contentType: 'text/csv' },
    refusals: ['wrong_span'],
  }),
  dearNumbers: defineRoute({
    id: 'dearNumbers',
    room,
    method: 'GET',
    path: '/routing/costs/numbers',
    summary: 'The ten numbers that cost most in a month',
    access: 'routing:read',
    query: z.strictObject({
      month: z
        .string()
        .regex(/^\d{4}-(0[1-9]|1[0-2])$/u, 'is a month such as 2026-11')
        .optional()
        .describe('e.g. 2026-11; else this one'),
    }),
    answer: { status: 200, schema: ExpensiveNumbers },
  }),
  plans: defineRoute({
    id: 'plans',
    room,
    method: 'GET',
    path: '/routing/plans',
    summary: 'Monthly fees, and how many of their pages are left this month',
    description: 'Of the rate cards in force now that have a monthly fee or included pages.',
    access: 'routing:read',
    answer: { status: 200, schema: Plans },
  }),
} as const;
