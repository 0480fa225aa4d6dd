import { z } from 'zod';
import { defineRoute } from './route.ts';
import { Money } from './routing-costs.ts';
import { BackendName, Cursor, Id, ListLimit, pageOf, Time } from './values.ts';

const room = 'routing';
const Count = z.int().min(0);

const RouteRecord = z
  .strictObject({
    success: Count.describe('attempts that delivered the fax'),
    failed: Count.describe('attempts of which it is certain that they did not'),
    doubt: Count.describe('attempts of which nobody knows'),
    pages: Count.describe('of the faxes that were delivered'),
    amounts: z
      .array(Money)
      .describe('one of each currency, by its code; different currencies are never added'),
    known: Count.describe('attempts in these amounts'),
    unknown: Count.describe('attempts of unknown cost, which are in no amount'),
  })
  .meta({ id: 'RouteRecord' });

export const Destination = z
  .strictObject({
    number: z.string().describe('E.164'),
    country: z.string().nullable().describe('ISO 3166; null where the number has none'),
    last_at: Time.nullable().describe('when the last attempt began; null for none in 90 days'),
    routes: z
      .array(
        z.strictObject({
          backend: BackendName,
          route_id: Id.nullable().describe('null where no route chose the provider'),
          name: z.string().describe('what people call it: the route, else the provider'),
          days_30: RouteRecord,
          days_90: RouteRecord,
          per_page: Money.nullable().describe(
            'what a page cost that was delivered in these 90 days, exact to the sixth digit; null where a cost is not known, or not of one currency',
          ),
        }),
      )
      .describe('the one with most attempts first'),
    recommendation: z.strictObject({
      backend: BackendName.nullable().describe('null where none has delivered'),
      route_id: Id.nullable(),
      reason: z.string().describe('why, in a sentence'),
    }),
  })
  .meta({ id: 'Destination' });

export const destinationRoutes = {
  listDestinations: defineRoute({
    id: 'listDestinations',
    room,
    method: 'GET',
    path: '/routing/destinations',
    summary: 'How each route does to the numbers of the last 90 days',
    description:
      'In the order of the numbers. Only attempts of faxes that the caller may read are counted, and of those only what has ended.',
    access: 'routing:read',
    query: z.strictObject({ limit: ListLimit, cursor: Cursor.optional() }),
    answer: { status: 200, schema: pageOf(Destination).meta({ id: 'DestinationPage' }) },
  }),
  getDestination: defineRoute({
    id: 'getDestination',
    room,
    method: 'GET',
    path: '/routing/destinations/:number',
    summary: 'How each route does to one number',
    description: 'A number that nothing was sent to has no routes, and its recommendation says so.',
    access: 'routing:read',
    params: z.strictObject({
      number: z.string().min(1).max(40).describe('with +, or a national number of the default country'),
    }),
    answer: { status: 200, schema: Destination },
    refusals: ['invalid_fax_number'],
  }),
} as const;
