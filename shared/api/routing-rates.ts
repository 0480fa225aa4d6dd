import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { isCurrency } from '../money.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { defineRoute } from './route.ts';
import {
  AnyTime,
  BackendName,
  Cursor,
  Id,
  IdParams,
  ListLimit,
  pageOf,
  Time,
  Version,
  VersionIn,
} from './values.ts';

const room = 'routing';
const badBody = 'sentence';
const target = 'rate_card';

/** A price of one page, minute, fax or month. */
export const Price = z
  .string()
  .regex(
    /^\d{1,6}(\.\d{1,6})?$/u,
    'must be a number such as 0.07, with at most 6 digits after the decimal point',
  )
  .meta({
    id: 'Price',
    description: 'decimal in the unit of the currency, at most 6 digits on either side of the decimal point',
  });
const Currency = z
  .string()
  .refine(isCurrency, 'is not a currency; use a code such as USD')
  .describe('ISO 4217')
  .meta({ examples: ['USD'] });
export const Prefixes = z
  .array(z.string().regex(/^\+\d{1,15}$/u, 'must begin with + and contain only digits'))
  .max(LIMITS.ratePrefixes)
  .describe(
    'prefixes of the numbers, e.g. +1; empty for all. If several cards match, the longest prefix is used',
  );

/** Contents of one version of a rate card. */
const prices = {
  currency: Currency,
  per_page: Price.nullable(),
  per_minute: Price.nullable(),
  per_fax: Price.nullable(),
  increment_seconds: z
    .int()
    .min(1)
    .max(3600)
    .describe('minutes are billed in whole increments of this many seconds'),
  minimum_seconds: z.int().min(0).max(3600).describe('minimum number of seconds billed'),
  monthly_fee: Price.nullable(),
  included_pages: z
    .int()
    .min(1)
    .max(LIMITS.includedPages)
    .nullable()
    .describe('pages per month included in the monthly fee; null for none'),
  prefixes: Prefixes,
  source: z
    .string()
    .trim()
    .max(LIMITS.noteLength)
    .regex(VISIBLE_LINE, VISIBLE_RULE)
    .describe('source of the prices, e.g. the contract or a web address'),
} as const;

export const RateCardVersion = z
  .strictObject({
    version: Version,
    ...prices,
    valid_from: Time.describe('for faxes that begin at this time or later'),
    created_at: Time,
    created_by: z.string(),
  })
  .meta({ id: 'RateCardVersion' });

const RouteId = Id.nullable().describe(
  'only for faxes that use this route; used before cards without a route; null for all faxes of the provider',
);

export const RateCard = z
  .strictObject({
    id: Id,
    backend: BackendName,
    route_id: RouteId,
    ...RateCardVersion.shape,
    in_force: Version.nullable().describe('version for a fax that begins now; null for none'),
    removed_at: Time.nullable(),
  })
  .meta({ id: 'RateCard' });

const given = {
  currency: Currency,
  per_page: Price.nullable().default(null),
  per_minute: Price.nullable().default(null),
  per_fax: Price.nullable().default(null),
  increment_seconds: prices.increment_seconds.default(60),
  minimum_seconds: prices.minimum_seconds.default(0),
  monthly_fee: Price.nullable().default(null),
  included_pages: prices.included_pages.default(null),
  prefixes: Prefixes.default([]),
  source: prices.source.default(''),
  valid_from: AnyTime.optional().describe('now if left out'),
};

export const rateRoutes = {
  listRateCards: defineRoute({
    id: 'listRateCards',
    room,
    method: 'GET',
    path: '/routing/rate-cards',
    summary: 'List rate cards, in the order they were created',
    description: 'Each has its newest version. Removed rate cards are not included.',
    access: 'routing:read',
    query: z.strictObject({ limit: ListLimit, cursor: Cursor.optional() }),
    answer: { status: 200, schema: pageOf(RateCard).meta({ id: 'RateCardPage' }) },
  }),
  getRateCard: defineRoute({
    id: 'getRateCard',
    room,
    method: 'GET',
    path: '/routing/rate-cards/:id',
    summary: 'Get a rate card with all its versions',
    access: 'routing:read',
    params: IdParams,
    answer: {
      status: 200,
      schema: z
        .strictObject({ ...RateCard.shape, versions: z.array(RateCardVersion).describe('newest first') })
        .meta({ id: 'RateCardWithVersions' }),
    },
    refusals: ['no_such_rate_card'],
  }),
  createRateCard: defineRoute({
    id: 'createRateCard',
    room,
    method: 'POST',
    path: '/routing/rate-cards',
    summary: 'Enter the prices of a provider or the phone line',
    access: 'routing:manage',
    audited: { operation: 'rate_card.create', target },
    badBody,
    body: z.strictObject({ backend: BackendName, route_id: RouteId.default(null), ...given }),
    answer: { status: 201, schema: RateCard },
    refusals: [
      'unknown_backend',
      'unknown_delivery_route',
      'delivery_route_refused',
      'rate_card_empty',
      'rate_prefix_taken',
    ],
  }),
  changeRateCard: defineRoute({
    id: 'changeRateCard',
    room,
    method: 'POST',
    path: '/routing/rate-cards/:id/versions',
    summary: 'Enter new prices of a rate card',
    description: 'Earlier versions stay, so that older faxes keep their prices.',
    access: 'routing:manage',
    audited: { operation: 'rate_card.change', target, param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({ version: Version.describe('newest version from the last read'), ...given }),
    answer: { status: 201, schema: RateCard },
    refusals: ['no_such_rate_card', 'rate_card_empty', 'rate_prefix_taken', 'stale'],
  }),
  removeRateCard: defineRoute({
    id: 'removeRateCard',
    room,
    method: 'POST',
    path: '/routing/rate-cards/:id/remove',
    summary: 'Remove a rate card',
    description: 'New faxes do not use it. Earlier faxes keep their prices.',
    access: 'routing:manage',
    audited: { operation: 'rate_card.remove', target, param: 'id' },
    badBody,
    params: IdParams,
    body: VersionIn,
    answer: { status: 200, schema: RateCard },
    refusals: ['no_such_rate_card', 'stale'],
  }),
} as const;
