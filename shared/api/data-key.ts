import { z } from 'zod';
import { defineRoute } from './route.ts';
import { Time } from './values.ts';

const room = 'data-key';

export const DataKeyState = z
  .strictObject({
    source: z
      .enum(['file', 'environment', 'keychain'])
      .describe(
        'place of the data key: `data.key`, `FAXDESK_DATA_KEY`, or the keychain of the desktop application',
      ),
    fingerprint: z
      .string()
      .describe('16 hexadecimal digits that tell this key from others, for people to compare'),
    made_at: Time.describe('first start with this key, or the replacement that made it'),
    obstacle: z
      .string()
      .nullable()
      .describe('reason why this key cannot be replaced here, as a sentence; null where it can be'),
    replacement: z
      .strictObject({
        started_at: Time.describe('beginning of the replacement'),
        started_by: z.string().describe('name of the person, the key or the gateway that began it'),
        pass: z
          .int()
          .min(1)
          .describe(
            'pass through everything; the last one finds nothing that the new key alone does not open',
          ),
        resealed: z.int().min(0).describe('secrets and documents encrypted with the new key so far'),
        unreadable: z
          .int()
          .min(0)
          .describe('secrets and documents of the present pass that open with neither key'),
        problem: z.string().nullable().describe('reason why it waits, as a sentence; null while it goes on'),
      })
      .nullable()
      .describe('null while the data key is not being replaced'),
  })
  .meta({ id: 'DataKeyState' });

export const dataKeyRoutes = {
  state: defineRoute({
    id: 'readDataKey',
    room,
    method: 'GET',
    path: '/console/data-key',
    summary: 'Get the state of the data key and of its replacement',
    access: 'owner:recover',
    answer: { status: 200, schema: DataKeyState },
  }),
  replace: defineRoute({
    id: 'replaceDataKey',
    room,
    method: 'POST',
    path: '/console/data-key/replace',
    summary: 'Replace the data key; it continues after the response',
    description:
      'A new key is made, and everything that the former one encrypted is encrypted with it in the background. The former key is removed when the new one alone opens everything.',
    access: 'owner:recover',
    audited: { operation: 'data_key.replace', target: 'data_key' },
    body: z.strictObject({
      leave_unreadable: z
        .boolean()
        .default(false)
        .describe(
          'true: a replacement under way ends although some secrets or documents open with neither key',
        ),
    }),
    answer: { status: 202, schema: DataKeyState },
    refusals: ['data_key_not_replaced'],
  }),
} as const;
