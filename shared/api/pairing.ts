import { z } from 'zod';
import { DisplayName } from './access-values.ts';
import { defineRoute } from './route.ts';
import { Time } from './values.ts';

const room = 'pairing';

/** Permissions of a paired device, on the whole installation. */
export const DEVICE_PERMISSIONS = [
  'fax:send',
  'fax:read',
  'fax:document',
  'inbound:list',
  'inbound:read',
  'inbound:document',
] as const;

export const pairingRoutes = {
  createPairingCode: defineRoute({
    id: 'createPairingCode',
    room,
    method: 'POST',
    path: '/admin/tunnel/pair',
    summary: 'Create a code that pairs one mobile device within five minutes',
    description: 'Needs the right to make the key of the device as well.',
    access: 'tunnels:pair',
    audited: { operation: 'pairing.create', target: 'pairing_code' },
    badBody: 'sentence',
    body: z.strictObject({ device_name: DisplayName.optional() }),
    bodyOptional: true,
    answer: {
      status: 200,
      schema: z
        .strictObject({ code: z.string().describe('six digits'), expires_at: Time })
        .meta({ id: 'PairingCode' }),
    },
    refusals: ['grant_exceeds_giver'],
  }),
  pairDevice: defineRoute({
    id: 'pairDevice',
    room,
    method: 'POST',
    path: '/mobile/pair',
    summary: 'Pair a mobile device with a code; gives its key',
    description:
      'Whatever is wrong, with the code, its maker or the body, is answered in the same way, so that nobody learns which codes there are.',
    access: 'public',
    badBody: 'as any failure',
    body: z.strictObject({ code: z.string().max(20), device_name: DisplayName.optional() }),
    answer: {
      status: 200,
      schema: z
        .strictObject({
          base_urls: z.strictObject({
            local: z.string(),
            tunnel: z.string().nullable(),
            public: z.string().nullable(),
          }),
          token: z.string().describe('`key_live_<keyId>_<secret>`, shown once'),
        })
        .meta({ id: 'PairedDevice' }),
    },
    refusals: ['pairing_refused', 'rate_limited'],
  }),
} as const;
