import { z } from 'zod';
import { defineRoute } from './route.ts';
import { Id, Time } from './values.ts';

const room = 'presence';

export const Presence = z
  .strictObject({
    faxes: z.array(
      z.strictObject({
        id: Id.describe('id of the received fax'),
        people: z.array(
          z.strictObject({
            id: Id,
            name: z.string(),
            since: Time.describe('time when they opened it'),
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
    summary: 'List the people who have received faxes open',
    description:
      'Only for people, and only about people and faxes that they can read. The data is kept in memory, is at most seconds old, and locks nothing. Integrations get an empty list.',
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
    summary: 'Report the received fax that the caller has open',
    description:
      'Send this for each window every 10 seconds while the fax is open. Without it, the entry is removed after 25 seconds. Returns the same as `GET /presence`.',
    access: 'inbound:read',
    anywhere: true,
    passive: true,
    body: z
      .strictObject({
        window: z
          .string()
          .regex(/^[\w-]{8,64}$/u)
          .describe('random text that identifies the window'),
        fax_id: Id.nullable().describe('null if it no longer has one open'),
      })
      .meta({ id: 'PresenceReport' }),
    answer: { status: 200, schema: Presence },
    refusals: ['no_such_received_fax', 'not_allowed'],
  }),
} as const;
