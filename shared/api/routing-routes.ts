import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { defineRoute } from './route.ts';
import { Prefixes } from './routing-rates.ts';
import { BackendName, Cursor, Id, IdParams, ListLimit, pageOf, Time, Version } from './values.ts';

const room = 'routing';
const badBody = 'sentence';
const target = 'delivery_route';
const { name: nameLength, priority, lines } = LIMITS.deliveryRoute;

const RouteName = z.string().trim().min(1).max(nameLength).regex(VISIBLE_LINE, VISIBLE_RULE);
const Priority = z
  .int()
  .min(priority.least)
  .max(priority.most)
  .describe('of routes with an equally long prefix the lowest goes first');
const Lines = z
  .int()
  .min(lines.least)
  .max(lines.most)
  .nullable()
  .describe('calls at once; null for as many as the account can make');
const OwnNumber = z
  .string()
  .trim()
  .max(40)
  .nullable()
  .describe('the number in the header line, with + and the country code; null for that of the settings');
const HeaderName = z
  .string()
  .trim()
  .max(LIMITS.headerTextLength)
  .regex(VISIBLE_LINE, VISIBLE_RULE)
  .nullable()
  .describe('the name in the header line; null for the organization name of the settings');
const NextAllowed = z
  .boolean()
  .describe('after a definite failure by this route the fax may go by the next one that fits');
/** The settings of the provider, by name, as `PATCH /admin/settings` takes them. */
const Account = z
  .record(z.string().max(100), z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]))
  .nullable()
  .describe(
    'an account of its own with this provider: the settings of the provider by name, all that it needs. Takes providers:write for the whole installation as well, since documents go there. Never shown again. null: the account of the settings',
  );

/** Reference to a delivery route. */
export const DeliveryRouteRef = z.strictObject({ id: Id, name: z.string() }).meta({ id: 'DeliveryRouteRef' });

export const DeliveryRoute = z
  .strictObject({
    id: Id,
    name: z.string(),
    backend: BackendName,
    prefixes: Prefixes.describe(
      'what the numbers begin with, e.g. +49; empty for all. The longest prefix wins',
    ),
    priority: Priority,
    enabled: z.boolean(),
    lines: Lines,
    own_number: z.string().nullable().describe('E.164; null for that of the settings'),
    header_name: HeaderName,
    next_allowed: NextAllowed,
    has_account: z.boolean().describe('whether it has an account of its own'),
    problem: z.string().nullable().describe('why no fax can go by it now, in a sentence; else null'),
    version: Version,
    created_at: Time,
    updated_at: Time,
    removed_at: Time.nullable(),
  })
  .meta({ id: 'DeliveryRoute' });

const fields = {
  name: RouteName,
  backend: BackendName,
  prefixes: Prefixes,
  priority: Priority,
  enabled: z.boolean(),
  lines: Lines,
  own_number: OwnNumber,
  header_name: HeaderName,
  next_allowed: NextAllowed,
  account: Account,
};

const refused = [
  'unknown_backend',
  'delivery_route_refused',
  'invalid_fax_number',
  'setting_opens_more',
] as const;

export const deliveryRoutes = {
  listDeliveryRoutes: defineRoute({
    id: 'listDeliveryRoutes',
    room,
    method: 'GET',
    path: '/routing/routes',
    summary: 'List the routes by which faxes leave, in the order in which they were made',
    description: 'Those that were removed are left out.',
    access: 'routing:read',
    query: z.strictObject({ limit: ListLimit, cursor: Cursor.optional() }),
    answer: { status: 200, schema: pageOf(DeliveryRoute).meta({ id: 'DeliveryRoutePage' }) },
  }),
  getDeliveryRoute: defineRoute({
    id: 'getDeliveryRoute',
    room,
    method: 'GET',
    path: '/routing/routes/:id',
    summary: 'One route',
    access: 'routing:read',
    params: IdParams,
    answer: { status: 200, schema: DeliveryRoute },
    refusals: ['no_such_delivery_route'],
  }),
  createDeliveryRoute: defineRoute({
    id: 'createDeliveryRoute',
    room,
    method: 'POST',
    path: '/routing/routes',
    summary: 'Create a route',
    description:
      'Faxes that are accepted from now on go by the route that fits best: the longest prefix, then the priority. Where none fits, the provider of the settings sends.',
    access: 'routing:manage',
    audited: { operation: 'delivery_route.create', target },
    badBody,
    body: z.strictObject({
      name: fields.name,
      backend: fields.backend,
      prefixes: fields.prefixes.default([]),
      priority: fields.priority.default(priority.usual),
      enabled: fields.enabled.default(true),
      lines: fields.lines.default(null),
      own_number: fields.own_number.default(null),
      header_name: fields.header_name.default(null),
      next_allowed: fields.next_allowed.default(true),
      account: fields.account.default(null),
    }),
    answer: { status: 201, schema: DeliveryRoute },
    refusals: refused,
  }),
  changeDeliveryRoute: defineRoute({
    id: 'changeDeliveryRoute',
    room,
    method: 'PATCH',
    path: '/routing/routes/:id',
    summary: 'Change a route; what is left out stays',
    description: 'Faxes that were accepted before keep the route and account that they captured.',
    access: 'routing:manage',
    audited: { operation: 'delivery_route.change', target, param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({ ...z.strictObject(fields).partial().shape, version: Version }),
    answer: { status: 200, schema: DeliveryRoute },
    refusals: [...refused, 'no_such_delivery_route', 'stale'],
  }),
  removeDeliveryRoute: defineRoute({
    id: 'removeDeliveryRoute',
    room,
    method: 'POST',
    path: '/routing/routes/:id/remove',
    summary: 'Remove a route',
    description: 'No fax is accepted for it from now on. Faxes that captured it still go by it.',
    access: 'routing:manage',
    audited: { operation: 'delivery_route.remove', target, param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({ version: Version }),
    answer: { status: 200, schema: DeliveryRoute },
    refusals: ['no_such_delivery_route', 'stale'],
  }),
} as const;
