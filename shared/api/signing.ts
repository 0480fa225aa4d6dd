import { z } from 'zod';
import { defineRoute } from './route.ts';
import { Time } from './values.ts';

const SigningKey = z
  .strictObject({
    fingerprint: z
      .string()
      .describe('SHA-256 of the public key (DER) in lowercase hex digits, for people to compare'),
    public_key: z.string().describe('Ed25519, as PEM'),
    made_at: Time,
    current: z
      .boolean()
      .describe('true for the key in use; former keys stay so that older signatures can be checked'),
  })
  .meta({ id: 'SigningKey' });

export const signingRoutes = {
  listSigningKeys: defineRoute({
    id: 'listSigningKeys',
    room: 'signing',
    method: 'GET',
    path: '/signing/keys',
    summary: 'List the signing keys of the installation, newest first',
    description:
      'Evidence archives are signed with the current key. Give its fingerprint to the people who check an archive, separately from the archive itself.',
    access: 'settings:read',
    answer: { status: 200, schema: z.strictObject({ keys: z.array(SigningKey) }) },
  }),
} as const;
