import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { COST_CERTAINTIES, COST_STATES } from '../states/routing.ts';
import { EntityRef } from './access-values.ts';
import { ContactRef } from './contacts-fields.ts';
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
      .describe('`charged` while Faxdesk still asks the provider for the final amount, up to 7 days'),
    estimated: Money.nullable().describe('from the rate card when the attempt began; null while unknown'),
    charged: Money.nullable().describe('null while unknown, and never 0 for unknown'),
    certainty: z
      .enum(COST_CERTAINTIES)
      .nullable()
      .describe('reported by the provider, or calculated with the rate card'),
    rate_card: EntityRef.nullable(),
  })
  .meta({ id: 'AttemptCost' });

const Count = z.int().min(0);

export const QuotedRoute = z
  .strictObject({
    backend: BackendName,
    name: z.string().describe('display name: the route, otherwise the provider'),
    route: DeliveryRouteRef.nullable().describe('null for the provider in the settings'),
    chosen_by: z.string().describe('reason for this choice and its position, as a sentence'),
    seconds: Count.describe('estimated time on the line; 0 if no call is made'),
    free: z.boolean().describe('true if nothing is billed, because no call is made'),
    amount: Money.nullable().describe('null while unknown, and never 0 for unknown'),
    rate_card: z
      .strictObject({
        id: Id,
        version: Version,
        prefix: z.string().describe('prefix of the number; empty for a card for all numbers'),
        source: z.string(),
        valid_from: Time,
      })
      .nullable(),
    reason: z.string().describe('explanation of the amount, or of why it is unknown, as a sentence'),
  })
  .meta({ id: 'QuotedWay' });

export const Quote = z
  .strictObject({
    to: z.string().describe('E.164'),
    country: z.string().nullable().describe('ISO 3166; null if the number has none'),
    pages: Count,
    seconds: Count,
    seconds_from: z
      .enum(['given', 'pages'])
      .describe('source of the seconds: the request, or the same number of ordinary pages'),
    ways: z.array(QuotedRoute).describe('in the order in which the fax would use them'),
    held: z
      .string()
      .nullable()
      .describe('reason why a spending limit would hold it, as a sentence; null if none would'),
    refusal: z
      .string()
      .nullable()
      .describe('reason why no fax can be sent to the number now; otherwise null'),
    has_rate_cards: z.boolean().describe('false until someone has entered prices'),
  })
  .meta({ id: 'Quote' });

export const COST_GROUPS = ['day', 'route', 'mailbox', 'person', 'country'] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

const sums = {
  amounts: z
    .array(Money)
    .describe('one amount per currency, by its code; different currencies are never added'),
  known: Count.describe('number of attempts in these amounts'),
  unknown: Count.describe('number of attempts with unknown cost, which are in no amount'),
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
            .describe('date, id, country, or for faxes without a route the backend; null for none'),
          name: z.string().nullable().describe('display name; null for none'),
          ...sums,
        }),
      )
      .describe('sorted by day or name'),
  })
  .meta({ id: 'Costs' });

export const ExpensiveNumbers = z
  .strictObject({
    month: z.string(),
    numbers: z
      .array(
        z.strictObject({
          number: z.string(),
          contact: ContactRef.nullable().describe('contact with the number; requires contacts:read'),
          ...Money.shape,
          attempts: Count,
        }),
      )
      .nullable()
      .describe(
        'most expensive first, at most ten per currency; null if the caller cannot see all sent faxes',
      ),
  })
  .meta({ id: 'DearNumbers' });

export const Plan = z
  .strictObject({
    rate_card: EntityRef,
    backend: BackendName,
    name: z.string().describe('display name'),
    route: DeliveryRouteRef.nullable().describe(
      'route of the faxes that it prices; null for all faxes of the provider',
    ),
    prefixes: z.array(z.string()).describe('prefixes of the numbers; empty for all'),
    monthly_fee: Money.nullable().describe('not included in any total'),
    included_pages: Count.nullable().describe('pages per month included in the fee; null for none'),
    used_pages: Count.describe('included pages used by finished attempts of the month'),
    left_pages: Count.nullable().describe('null if none are included'),
  })
  .meta({ id: 'Plan' });

export const Plans = z
  .strictObject({
    month: z.string().describe('current month in the installation’s time zone'),
    plans: z.array(Plan).describe('plans of the current rate cards, by name'),
    fees: z.array(Money).describe('total of the monthly fees, one per currency'),
  })
  .meta({ id: 'Plans' });

const span = {
  from: z.iso
    .date()
    .optional()
    .describe('first day in the installation’s time zone; otherwise the first of the month'),
  to: z.iso
    .date()
    .optional()
    .describe(`last day, at most ${LIMITS.statisticsDays} days after the first; otherwise today`),
  group_by: z.enum(COST_GROUPS).default('day'),
};

export const costRoutes = {
  quote: defineRoute({
    id: 'getQuote',
    room,
    method: 'GET',
    path: '/routing/quote',
    summary: 'Get the estimated time and cost of a fax',
    description:
      'Returns each way the fax could be sent. A fax that is sent at that time with the same pages and seconds gets the same estimate.',
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
        .describe('seconds of the call, as estimated by a preview; if left out, those of ordinary pages'),
      by_call: FormFlag.default(false).describe('true to place a call even to our own number'),
      send_at: AnyTime.optional().describe('time when it is sent, for `held`; now if left out'),
    }),
    answer: { status: 200, schema: Quote },
    refusals: ['invalid_fax_number'],
  }),
  costs: defineRoute({
    id: 'getCosts',
    room,
    method: 'GET',
    path: '/routing/costs',
    summary: 'Get fax costs by day, route, mailbox, person or destination country',
    description:
      'Includes finished attempts that began on these days. Amounts are reported by the provider or calculated with the rate card. Monthly fees are not included.',
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
    summary: 'Download fax costs as a file',
    description:
      '`csv` has one line for each row and currency, and one for unknown costs. It is safe to open in a spreadsheet.',
    access: 'routing:read',
    query: z.strictObject({ format: z.literal('csv').default('csv'), ...span }),
    answer: { status: 200, contentType: 'text/csv' },
    refusals: ['wrong_span'],
  }),
  dearNumbers: defineRoute({
    id: 'listDearNumbers',
    room,
    method: 'GET',
    path: '/routing/costs/numbers',
    summary: 'List the ten most expensive numbers of a month',
    access: 'routing:read',
    query: z.strictObject({
      month: z
        .string()
        .regex(/^\d{4}-(0[1-9]|1[0-2])$/u, 'must be a month such as 2026-11')
        .optional()
        .describe('e.g. 2026-11; otherwise the current month'),
    }),
    answer: { status: 200, schema: ExpensiveNumbers },
  }),
  plans: defineRoute({
    id: 'listPlans',
    room,
    method: 'GET',
    path: '/routing/plans',
    summary: 'List monthly fees with the included pages left this month',
    description: 'Returns the current rate cards that have a monthly fee or included pages.',
    access: 'routing:read',
    answer: { status: 200, schema: Plans },
  }),
} as const;
