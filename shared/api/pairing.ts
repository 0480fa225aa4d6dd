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
    description: 'Also requires permission to create the key of the device.',
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
    summary: 'Pair a mobile device with a code; returns its key',
    description:
      'All problems with the code, the person who created it or the body get the same response, so that no one can find out which codes exist.',
    access: 'public',
    ignoresUnknownQuery: true,
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
