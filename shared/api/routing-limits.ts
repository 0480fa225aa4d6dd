import { z } from 'zod';
import { AMOUNT_LIMIT, AMOUNT_RULE } from '../money.ts';
import { defineRoute } from './route.ts';
import { Money } from './routing-costs.ts';
import { Cursor, Id, IdParams, ListLimit, pageOf } from './values.ts';

const room = 'routing';

const Count = z.int().min(0);
const Amount = z
  .string()
  .regex(AMOUNT_LIMIT, `is ${AMOUNT_RULE}`)
  .meta({ examples: ['50.00'] });

export const Spending = z
  .strictObject({
    limit: Money.nullable().describe('null where none holds'),
    spent: z.array(Money).describe('of attempts that have ended; each currency for itself'),
    under_way: z.array(Money).describe('estimates of faxes that were accepted and have not ended'),
    left: Money.nullable().describe('of the limit, and never less than 0; null without one'),
    unknown: Count.describe('attempts of unknown cost, which no limit counts'),
  })
  .meta({ id: 'Spending' });

const spending = {
  day: Spending.describe('today, where the installation is'),
  month: Spending.describe('this calendar month'),
};

export const SpendingLimits = z
  .strictObject({
    currency: z.string().nullable().describe('of the limits; null while none is in force'),
    date: z.iso.date(),
    ...spending,
    each_person: z
      .strictObject({ per_day: Money.nullable(), per_month: Money.nullable() })
      .describe('of each person and integration without a limit of their own'),
  })
  .meta({ id: 'SpendingLimits' });

export const PersonSpending = z
  .strictObject({
    principal: z.strictObject({ id: Id, name: z.string() }),
    currency: z.string().nullable().describe('of the limits; null while none is in force'),
    version: z.int().min(0).describe('of the own limit; 0 while none was ever set'),
    own: z.strictObject({ per_day: Money.nullable(), per_month: Money.nullable() }),
    ...spending,
  })
  .meta({ id: 'PersonSpending' });

export const limitRoutes = {
  spendingLimits: defineRoute({
    id: 'spendingLimits',
    room,
    method: 'GET',
    path: '/routing/limits',
    summary: 'What faxes may cost, and how much of it is spent',
    description:
      'The limits are settings (`SPENDING_CURRENCY`, `SPENDING_DAY`, `SPENDING_MONTH`, `SPENDING_PERSON_DAY`, `SPENDING_PERSON_MONTH`). A fax that would pass one is accepted and held.',
    access: 'routing:read',
    answer: { status: 200, schema: SpendingLimits },
  }),
  listPersonLimits: defineRoute({
    id: 'listPersonLimits',
    room,
    method: 'GET',
    path: '/routing/limits/people',
    summary: 'List the people and integrations with a limit of their own',
    access: 'routing:read',
    query: z.strictObject({ limit: ListLimit, cursor: Cursor.optional() }),
    answer: { status: 200, schema: pageOf(PersonSpending).meta({ id: 'PersonSpendingPage' }) },
  }),
  personLimit: defineRoute({
    id: 'personLimit',
    room,
    method: 'GET',
    path: '/routing/limits/people/:id',
    summary: 'What the faxes of one person or integration may cost, and how much of it is spent',
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
    summary: 'Give a person or integration a limit of their own',
    description:
      'In the currency of the settings. Where an amount is null, the limit of each person holds. Faxes that are held stay so.',
    access: 'routing:manage',
    audited: { operation: 'spending_limit.change', target: 'principal', param: 'id' },
    badBody: 'sentence',
    params: IdParams,
    body: z.strictObject({
      version: z.int().min(0).describe('the one that was read'),
      per_day: Amount.nullable(),
      per_month: Amount.nullable(),
    }),
    answer: { status: 200, schema: PersonSpending },
    refusals: ['no_such_person', 'no_spending_currency', 'stale'],
  }),
} as const;
