import { z } from 'zod';
import { defineRoute } from './route.ts';
import { Time } from './values.ts';

const Fingerprint = z.string().describe('SHA-256 in pairs of hex digits, as browsers show it');

const HTTPS_SOURCES = ['off', 'own', 'files'] as const;

export const HttpsState = z
  .strictObject({
    source: z
      .enum(HTTPS_SOURCES)
      .describe('whose certificate it is: of an authority of its own, or of the files that are set'),
    listening: z
      .strictObject({ host: z.string(), port: z.number().int() })
      .nullable()
      .describe('where the running gateway is served over HTTPS now, whatever is set; null while it is not'),
    addresses: z
      .array(z.string())
      .describe('to open from other computers, the best first; empty while none works'),
    certificate: z
      .strictObject({ fingerprint: Fingerprint, names: z.array(z.string()), valid_until: Time })
      .nullable()
      .describe('shown to other computers now; null while nothing is'),
    root: z
      .strictObject({ name: z.string(), fingerprint: Fingerprint, valid_until: Time })
      .nullable()
      .describe('to be installed on other computers; null without an authority of its own'),
    problem: z.string().nullable().describe('what does not work as it is set, and why, for a person'),
  })
  .meta({ id: 'HttpsState' });

const room = 'https';

export const httpsRoutes = {
  state: defineRoute({
    id: 'readHttps',
    room,
    method: 'GET',
    path: '/console/https',
    summary: 'How other computers reach this gateway over HTTPS',
    access: 'settings:read',
    answer: { status: 200, schema: HttpsState },
  }),
  rootCertificate: defineRoute({
    id: 'downloadHttpsRoot',
    room,
    method: 'GET',
    path: '/https/root.crt',
    summary: 'The root certificate that other computers install',
    description:
      'Compare its fingerprint with the one on the System screen before it is installed: who holds the line between could have put another in its place. There is none while HTTPS is off, or when its certificate comes from files.',
    access: 'public',
    answer: { status: 200, contentType: 'application/x-x509-ca-cert' },
    refusals: ['no_root_certificate'],
  }),
} as const;
