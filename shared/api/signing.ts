import { z } from 'zod';
import { defineRoute } from './route.ts';
import { Time } from './values.ts';

const SigningKey = z
  .strictObject({
    fingerprint: z
      .string()
      .describe('SHA-256 of the public key (DER) in lower-case hex digits: what two people compare'),
    public_key: z.string().describe('Ed25519, as PEM'),
    made_at: Time,
    current: z.boolean().describe('signs now; former ones remain so that older signatures can be checked'),
  })
  .meta({ id: 'SigningKey' });

export const signingRoutes = {
  listSigningKeys: defineRoute({
    id: 'listSigningKeys',
    room: 'signing',
    method: 'GET',
    path: '/signing/keys',
    summary: "The installation's signing keys, the newest first",
    description:
      'Evidence archives are signed with the current one. Tell its fingerprint to whoever has to check an archive, on another way than the archive itself.',
    access: 'settings:read',
    answer: { status: 200, schema: z.strictObject({ keys: z.array(SigningKey) }) },
  }),
} as const;
