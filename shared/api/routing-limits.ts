import { z } from 'zod';
import { AMOUNT_LIMIT, AMOUNT_RULE } from '../money.ts';
import { defineRoute } from './route.ts';
import { Money } from './routing-costs.ts';
import { Cursor, Id, IdParams, ListLimit, pageOf } from './values.ts';

const room = 'routing';

const Count = z.int().min(0);
const Amount = z
  .string()
  .regex(AMOUNT_LIMIT, `must be ${AMOUNT_RULE}`)
  .meta({ examples: ['50.00'] });

export const Spending = z
  .strictObject({
    limit: Money.nullable().describe('null if there is no limit'),
    spent: z.array(Money).describe('cost of finished attempts, separately for each currency'),
    under_way: z.array(Money).describe('estimated cost of accepted faxes that have not finished'),
    left: Money.nullable().describe('rest of the limit, never less than 0; null without a limit'),
    unknown: Count.describe('number of attempts with unknown cost, which no limit counts'),
  })
  .meta({ id: 'Spending' });

const spending = {
  day: Spending.describe('today in the installation’s time zone'),
  month: Spending.describe('this calendar month'),
};

export const SpendingLimits = z
  .strictObject({
    currency: z.string().nullable().describe('currency of the limits; null if no limit applies'),
    date: z.iso.date(),
    ...spending,
    each_person: z
      .strictObject({ per_day: Money.nullable(), per_month: Money.nullable() })
      .describe('limits of each person and integration without a separate limit'),
  })
  .meta({ id: 'SpendingLimits' });

export const PersonSpending = z
  .strictObject({
    principal: z.strictObject({ id: Id, name: z.string() }),
    currency: z.string().nullable().describe('currency of the limits; null if no limit applies'),
    version: z.int().min(0).describe('version of the separate limit; 0 if none was ever set'),
    own: z.strictObject({ per_day: Money.nullable(), per_month: Money.nullable() }),
    ...spending,
  })
  .meta({ id: 'PersonSpending' });

export const limitRoutes = {
  spendingLimits: defineRoute({
    id: 'getSpendingLimits',
    room,
    method: 'GET',
    path: '/routing/limits',
    summary: 'Get the spending limits and the amounts spent',
    description:
      'The limits are settings (`SPENDING_CURRENCY`, `SPENDING_DAY`, `SPENDING_MONTH`, `SPENDING_PERSON_DAY`, `SPENDING_PERSON_MONTH`). A fax that would exceed a limit is accepted and held.',
    access: 'routing:read',
    answer: { status: 200, schema: SpendingLimits },
  }),
  listPersonLimits: defineRoute({
    id: 'listPersonLimits',
    room,
    method: 'GET',
    path: '/routing/limits/people',
    summary: 'List the people and integrations with a separate limit',
    access: 'routing:read',
    query: z.strictObject({ limit: ListLimit, cursor: Cursor.optional() }),
    answer: { status: 200, schema: pageOf(PersonSpending).meta({ id: 'PersonSpendingPage' }) },
  }),
  personLimit: defineRoute({
    id: 'getPersonLimit',
    room,
    method: 'GET',
    path: '/routing/limits/people/:id',
    summary: 'Get the spending limits of a person or integration and the amounts spent',
    access: 'routing:read',
    params: IdParams,
    answer: { status: 200, schema: PersonSpending },
    refusals: ['no_such_person'],
  }),
  setPersonLimit: defineRoute({
    id: 'setPersonLimit',
    room,
    method: 'PUT',
    path: '/routing/limits/people/:id',
    summary: 'Set a separate spending limit for a person or integration',
    description:
      'The limit is in the currency of the settings. If an amount is null, the limit for each person applies. Held faxes stay held.',
    access: 'routing:manage',
    audited: { operation: 'spending_limit.change', target: 'principal', param: 'id' },
    badBody: 'sentence',
    params: IdParams,
    body: z.strictObject({
      version: z.int().min(0).describe('version from the last read'),
      per_day: Amount.nullable(),
      per_month: Amount.nullable(),
    }),
    answer: { status: 200, schema: PersonSpending },
    refusals: ['no_such_person', 'no_spending_currency', 'stale'],
  }),
} as const;
