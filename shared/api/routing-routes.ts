import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { defineRoute } from './route.ts';
import { Prefixes } from './routing-rates.ts';
import { BackendName, Cursor, Id, IdParams, ListLimit, pageOf, Time, Version, VersionIn } from './values.ts';

const room = 'routing';
const badBody = 'sentence';
const target = 'delivery_route';
const { name: nameLength, priority, lines } = LIMITS.deliveryRoute;

const RouteName = z.string().trim().min(1).max(nameLength).regex(VISIBLE_LINE, VISIBLE_RULE);
const Priority = z
  .int()
  .min(priority.least)
  .max(priority.most)
  .describe('among routes with equally long prefixes, the lowest is used first');
const Lines = z
  .int()
  .min(lines.least)
  .max(lines.most)
  .nullable()
  .describe('simultaneous calls; null for as many as the account allows');
const OwnNumber = z
  .string()
  .trim()
  .max(40)
  .nullable()
  .describe('number in the header line, with + and the country code; null for the number in the settings');
const HeaderName = z
  .string()
  .trim()
  .max(LIMITS.headerTextLength)
  .regex(VISIBLE_LINE, VISIBLE_RULE)
  .nullable()
  .describe('name in the header line; null for the organization name in the settings');
const NextAllowed = z
  .boolean()
  .describe('true to try the next matching route after a definite failure of this one');
/** The settings of the provider, by name, as `PATCH /admin/settings` takes them. */
const Account = z
  .record(z.string().max(100), z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]))
  .nullable()
  .describe(
    'separate account with this provider: all required settings of the provider, by name. Also requires providers:write for the whole installation, because documents are sent there. Never returned again. null for the account in the settings',
  );

/** Reference to a delivery route. */
export const DeliveryRouteRef = z.strictObject({ id: Id, name: z.string() }).meta({ id: 'DeliveryRouteRef' });

export const DeliveryRoute = z
  .strictObject({
    id: Id,
    name: z.string(),
    backend: BackendName,
    prefixes: Prefixes.describe(
      'prefixes of the numbers, e.g. +49; empty for all. The longest matching prefix is used',
    ),
    priority: Priority,
    enabled: z.boolean(),
    lines: Lines,
    own_number: z.string().nullable().describe('E.164; null for the number in the settings'),
    header_name: HeaderName,
    next_allowed: NextAllowed,
    has_account: z.boolean().describe('true if it has a separate account'),
    problem: z
      .string()
      .nullable()
      .describe('reason why it cannot be used now, as a sentence; otherwise null'),
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
    summary: 'List the routes for sending faxes, in the order they were created',
    description: 'Removed routes are not included.',
    access: 'routing:read',
    query: z.strictObject({ limit: ListLimit, cursor: Cursor.optional() }),
    answer: { status: 200, schema: pageOf(DeliveryRoute).meta({ id: 'DeliveryRoutePage' }) },
  }),
  getDeliveryRoute: defineRoute({
    id: 'getDeliveryRoute',
    room,
    method: 'GET',
    path: '/routing/routes/:id',
    summary: 'Get a route',
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
      'Faxes accepted from now on use the best matching route: the longest prefix, then the priority. If none matches, the provider in the settings is used.',
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
    summary: 'Change a route; fields that are left out stay the same',
    description: 'Faxes accepted earlier keep the route and account that were saved with them.',
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
    description: 'New faxes do not use it. Faxes accepted earlier are still sent through it.',
    access: 'routing:manage',
    audited: { operation: 'delivery_route.remove', target, param: 'id' },
    badBody,
    params: IdParams,
    body: VersionIn,
    answer: { status: 200, schema: DeliveryRoute },
    refusals: ['no_such_delivery_route', 'stale'],
  }),
} as const;
