import { z } from 'zod';
import { defineRoute } from './route.ts';
import { Money } from './routing-costs.ts';
import { BackendName, Cursor, Id, ListLimit, pageOf, Time } from './values.ts';

const room = 'routing';
const Count = z.int().min(0);

const RouteRecord = z
  .strictObject({
    success: Count.describe('number of attempts that delivered the fax'),
    failed: Count.describe('number of attempts that certainly did not deliver it'),
    doubt: Count.describe('number of attempts with an unknown outcome'),
    pages: Count.describe('pages of the delivered faxes'),
    amounts: z
      .array(Money)
      .describe('one amount per currency, by its code; different currencies are never added'),
    known: Count.describe('number of attempts in these amounts'),
    unknown: Count.describe('number of attempts with unknown cost, which are in no amount'),
  })
  .meta({ id: 'RouteRecord' });

export const Destination = z
  .strictObject({
    number: z.string().describe('E.164'),
    country: z.string().nullable().describe('ISO 3166; null if the number has none'),
    last_at: Time.nullable().describe('time when the last attempt began; null if there was none in 90 days'),
    routes: z
      .array(
        z.strictObject({
          backend: BackendName,
          route_id: Id.nullable().describe('null if no route selected the provider'),
          name: z.string().describe('display name: the route, otherwise the provider'),
          days_30: RouteRecord,
          days_90: RouteRecord,
          per_page: Money.nullable().describe(
            'cost per delivered page in these 90 days, accurate to six digits; null if a cost is unknown or there are several currencies',
          ),
        }),
      )
      .describe('the route with the most attempts first'),
    recommendation: z.strictObject({
      backend: BackendName.nullable().describe('null if none has delivered a fax'),
      route_id: Id.nullable(),
      reason: z.string().describe('reason, as a sentence'),
    }),
  })
  .meta({ id: 'Destination' });

export const destinationRoutes = {
  listDestinations: defineRoute({
    id: 'listDestinations',
    room,
    method: 'GET',
    path: '/routing/destinations',
    summary: 'List the results of each route for the numbers of the last 90 days',
    description: 'Sorted by number. Only finished attempts of faxes that the caller can read are counted.',
    access: 'routing:read',
    query: z.strictObject({ limit: ListLimit, cursor: Cursor.optional() }),
    answer: { status: 200, schema: pageOf(Destination).meta({ id: 'DestinationPage' }) },
  }),
  getDestination: defineRoute({
    id: 'getDestination',
    room,
    method: 'GET',
    path: '/routing/destinations/:number',
    summary: 'Get the results of each route for one number',
    description: 'A number without sent faxes has no routes, and its recommendation says so.',
    access: 'routing:read',
    params: z.strictObject({
      number: z.string().min(1).max(40).describe('with +, or a national number of the default country'),
    }),
    answer: { status: 200, schema: Destination },
    refusals: ['invalid_fax_number'],
  }),
} as const;
