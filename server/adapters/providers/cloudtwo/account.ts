import { z } from 'zod';
import { isLoopbackHost } from '../../../platform/public-address.ts';
import type { ValuesOf } from '../../../platform/setting-kinds.ts';
import { trimEnd } from '../../../platform/trim-end.ts';
import type { cloudtwoSettings } from './settings.ts';

export const cloudtwoAccount = z
  .object({
    backend: z.literal('cloudtwo'),
    accountId: z.string(),
    baseUrl: z.string(),
    projectId: z.string(),
    apiKey: z.string(),
    apiSecret: z.string(),
    /** Scheme by which the key is presented. */
    signIn: z.enum(['basic', 'oauth2']),
    /** Credentials that every notification must present; null treats notifications as hints. */
    notificationBasic: z.object({ user: z.string(), password: z.string() }).readonly().nullable(),
  })
  .readonly();

export type CloudtwoAccount = z.infer<typeof cloudtwoAccount>;

/** The account that the settings name, or the sentence that says what is missing. */
export function cloudtwoAccountOf(values: ValuesOf<typeof cloudtwoSettings>): CloudtwoAccount | string {
  const projectId = values.CLOUDTWO_PROJECT_ID;
  const apiKey = values.CLOUDTWO_API_KEY;
  const apiSecret = values.CLOUDTWO_API_SECRET;
  if (!projectId || !apiKey || !apiSecret)
    return 'The fax provider has no credentials yet: set its project, access key and access secret first.';
  const { CLOUDTWO_INBOUND_BASIC_USER: user, CLOUDTWO_INBOUND_BASIC_PASS: password } = values;
  return {
    backend: 'cloudtwo',
    accountId: cloudtwoAccountId(projectId),
    baseUrl: values.CLOUDTWO_API_URL ?? cloudtwoBaseUrl(values.CLOUDTWO_REGION),
    projectId,
    apiKey,
    apiSecret,
    signIn: values.CLOUDTWO_AUTH_METHOD,
    notificationBasic: user && password ? { user, password } : null,
  };
}

/** The documented hosts by region; without a region the vendor chooses. */
export const cloudtwoHosts = {
  global: 'fax.api.sinch.com',
  use1: 'use1.fax.api.sinch.com',
  eu1: 'eu1.fax.api.sinch.com',
  sae1: 'sae1.fax.api.sinch.com',
  apse1: 'apse1.fax.api.sinch.com',
  apse2: 'apse2.fax.api.sinch.com',
} as const;

type CloudtwoRegion = keyof typeof cloudtwoHosts;

const tokenAddress = 'https://auth.sinch.com/oauth2/token';

/** The name of an account in evidence. Holds no secret. */
export function cloudtwoAccountId(projectId: string): string {
  return `cloudtwo:${projectId}`;
}

export function cloudtwoBaseUrl(region: CloudtwoRegion): string {
  return `https://${cloudtwoHosts[region]}`;
}

/** Null when the address may be used: one of the vendor's own hosts over HTTPS, or this computer. */
export function checkCloudtwoUrl(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null) return 'The provider address is not a web address.';
  if (parsed.username !== '' || parsed.password !== '')
    return 'The provider address must not contain a password.';
  const own = isLoopbackHost(parsed.hostname);
  if (parsed.protocol !== 'https:' && !(own && parsed.protocol === 'http:'))
    return 'The provider address must use HTTPS.';
  if (!own && !isVendorHost(parsed)) return 'The provider address must be one of the provider’s own hosts.';
  if (parsed.pathname !== '/' || parsed.search !== '' || parsed.hash !== '')
    return 'The provider address must have no path after the host.';
  return null;
}

function isVendorHost(url: URL): boolean {
  return url.port === '' && Object.values<string>(cloudtwoHosts).includes(url.hostname);
}

/** `path` below the account's project, e.g. `/faxes`. */
export function endpoint(account: CloudtwoAccount, path: string): string {
  const project = encodeURIComponent(account.projectId);
  return `${trimEnd(account.baseUrl, '/')}/v3/projects/${project}${path}`;
}

/**
 * Returns the endpoint that exchanges a key for a token: the vendor's own, or this computer when the account points to
 * it.
 */
export function tokenEndpoint(account: CloudtwoAccount): string {
  const base = new URL(account.baseUrl);
  return isLoopbackHost(base.hostname) ? new URL('/oauth2/token', base).href : tokenAddress;
}
