import { z } from 'zod';
import { defineRoute } from './route.ts';
import { Time } from './values.ts';

const Fingerprint = z.string().describe('SHA-256 as pairs of hex digits, as shown in browsers');

const HTTPS_SOURCES = ['off', 'own', 'files'] as const;

export const HttpsState = z
  .strictObject({
    source: z
      .enum(HTTPS_SOURCES)
      .describe('source of the certificate: the authority of this gateway, or the files in the settings'),
    listening: z
      .strictObject({ host: z.string(), port: z.number().int() })
      .nullable()
      .describe(
        'current HTTPS address and port of the running gateway, independent of the settings; null if it does not use HTTPS',
      ),
    addresses: z
      .array(z.string())
      .describe('addresses for other computers, the best first; empty if none works'),
    certificate: z
      .strictObject({ fingerprint: Fingerprint, names: z.array(z.string()), valid_until: Time })
      .nullable()
      .describe('certificate in use for other computers; null if there is none'),
    root: z
      .strictObject({ name: z.string(), fingerprint: Fingerprint, valid_until: Time })
      .nullable()
      .describe('root certificate to install on other computers; null if the gateway has no authority'),
    announced: z
      .string()
      .nullable()
      .describe(
        'name under which other computers find this gateway in the local network; null if it is not announced',
      ),
    words: z
      .array(z.string())
      .nullable()
      .describe(
        'six words by which a person recognizes this gateway in the window of another computer, in place of the fingerprint; null if it does not use HTTPS',
      ),
    problem: z
      .string()
      .nullable()
      .describe('problem with the current settings and its reason, as a sentence for people'),
  })
  .meta({ id: 'HttpsState' });

const room = 'https';

export const httpsRoutes = {
  state: defineRoute({
    id: 'readHttps',
    room,
    method: 'GET',
    path: '/console/https',
    summary: 'Get the HTTPS state for other computers',
    access: 'settings:read',
    answer: { status: 200, schema: HttpsState },
  }),
  rootCertificate: defineRoute({
    id: 'downloadHttpsRoot',
    room,
    method: 'GET',
    path: '/https/root.crt',
    summary: 'Download the root certificate for other computers',
    description:
      'Compare its fingerprint with the one on the System screen before you install it, because someone on the network could have replaced it. There is no root certificate while HTTPS is off or if the certificate comes from files.',
    access: 'public',
    answer: { status: 200, contentType: 'application/x-x509-ca-cert' },
    refusals: ['no_root_certificate'],
  }),
} as const;
