import { z } from 'zod';
import { defineRoute } from './route.ts';
import { Id, Time } from './values.ts';

const room = 'presence';

export const Presence = z
  .strictObject({
    faxes: z.array(
      z.strictObject({
        id: Id.describe('of the received fax'),
        people: z.array(
          z.strictObject({
            id: Id,
            name: z.string(),
            since: Time.describe('when they opened it'),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'Presence' });

export const presenceRoutes = {
  listPresence: defineRoute({
    id: 'listPresence',
    room,
    method: 'GET',
    path: '/presence',
    summary: 'Who else has which received fax open',
    description:
      'For people, of the faxes they may read, and of people only. It is in memory, seconds old at most, and locks nothing. Integrations get none.',
    access: 'inbound:read',
    anywhere: true,
    passive: true,
    answer: { status: 200, schema: Presence },
  }),
  reportPresence: defineRoute({
    id: 'reportPresence',
    room,
    method: 'PUT',
    path: '/presence',
    summary: 'Report which received fax the caller has open',
    description:
      'Of one window, every 10 seconds while it stays open; without that it is forgotten after 25 seconds. Answers as `GET /presence`.',
    access: 'inbound:read',
    anywhere: true,
    passive: true,
    body: z
      .strictObject({
        window: z
          .string()
          .regex(/^[\w-]{8,64}$/u)
          .describe('names the window, as a random text'),
        fax_id: Id.nullable().describe('null when it has none open any more'),
      })
      .meta({ id: 'PresenceReport' }),
    answer: { status: 200, schema: Presence },
    refusals: ['no_such_received_fax', 'not_allowed'],
  }),
} as const;
