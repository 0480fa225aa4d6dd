import { z } from 'zod';
import { defineRoute } from './route.ts';
import { Id, Time } from './values.ts';

export const Notices = z
  .strictObject({
    deprecated: z
      .array(
        z.strictObject({
          id: z.string().describe('id of the deprecated part'),
          what: z.string().describe('name for people'),
          instead: z.string().describe('sentence that says what to use instead'),
          sunset: Time.describe('time from which on it may be gone'),
          used_by: z
            .array(
              z.strictObject({
                id: Id.nullable().describe('id of the person or integration; null for a provider'),
                name: z.string(),
                first_at: Time,
                last_at: Time,
              }),
            )
            .describe('last use first'),
        }),
      )
      .describe('deprecated parts that were used in the last 90 days'),
    number_checks: z
      .array(
        z.strictObject({
          partner_id: Id.describe('id of the partner'),
          organization: z.string().describe('name of the partner'),
          fax_number: z.string().describe('fax number of the partner, E.164'),
          expires_at: Time.describe('time from which on faxes to the number go by phone'),
        }),
      )
      .describe(
        'checks of partners’ numbers that end within 30 days, the earliest first; empty without settings:read',
      ),
    ignored_settings: z.array(z.string()).describe('names in the environment that belonged to removed parts'),
  })
  .meta({ id: 'Notices' });

export const noticesRoutes = {
  list: defineRoute({
    id: 'listNotices',
    room: 'notices',
    method: 'GET',
    path: '/console/notices',
    summary:
      'List deprecated parts that are still used, with who uses them, number checks that end soon, and ignored settings',
    access: 'diagnostics:read',
    answer: { status: 200, schema: Notices },
  }),
} as const;
