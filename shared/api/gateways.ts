import { z } from 'zod';
import { defineRoute } from './route.ts';
import { Time } from './values.ts';

const GatewayState = z
  .strictObject({
    name: z.string().describe('computer and port'),
    release: z.string(),
    this: z.boolean().describe('true for the gateway that answered'),
    state: z
      .enum(['running', 'gone'])
      .describe('`gone` if it was not stopped and has given no sign of life for 30 seconds'),
    works: z
      .boolean()
      .describe(
        'true for the one that does the background work: sends, polls, receives, removes, escalates, mails and calls back',
      ),
    started_at: Time,
    last_seen_at: Time,
  })
  .meta({ id: 'GatewayState' });

export const Gateways = z
  .strictObject({
    several: z.boolean().describe('true if `SEVERAL_GATEWAYS` is on'),
    gateways: z
      .array(GatewayState)
      .describe('those that run, and those that vanished in the last seven days, by name'),
  })
  .meta({ id: 'Gateways' });

export const gatewaysRoutes = {
  list: defineRoute({
    id: 'listGateways',
    room: 'gateways',
    method: 'GET',
    path: '/console/gateways',
    summary: 'List the gateways on the database',
    description: 'Times are those of the database. Gateways that were stopped are not listed.',
    access: 'settings:read',
    answer: { status: 200, schema: Gateways },
  }),
} as const;
