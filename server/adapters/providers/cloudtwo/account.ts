import { isLoopbackHost } from '../../../platform/public-address.ts';
import type { ProviderAccount } from '../port.ts';

/** The documented hosts by region; without a region the vendor chooses. */
export const cloudtwoHosts = {
  global: 'fax.api.sinch.com',
  use1: 'use1.fax.api.sinch.com',
  eu1: 'eu1.fax.api.sinch.com',
  sae1: 'sae1.fax.api.sinch.com',
  apse1: 'apse1.fax.api.sinch.com',
  apse2: 'apse2.fax.api.sinch.com',
} as const;

export type CloudtwoRegion = keyof typeof cloudtwoHosts;

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
    return 'The provider address must not hold a password.';
  const own = isLoopbackHost(parsed.hostname);
  if (parsed.protocol !== 'https:' && !(own && parsed.protocol === 'http:'))
    return 'The provider address must use HTTPS.';
  if (!own && !isVendorHost(parsed)) return 'The provider address must be one of the provider’s own hosts.';
  if (parsed.pathname !== '/' || parsed.search !== '' || parsed.hash !== '')
    return 'The provider address must end after the host.';
  return null;
}

function isVendorHost(url: URL): boolean {
  return url.port === '' && Object.values<string>(cloudtwoHosts).includes(url.hostname);
}

/** `path` below the account's project, e.g. `/faxes`. */
export function endpoint(account: ProviderAccount, path: string): string {
  const project = encodeURIComponent(account.projectId ?? '');
  return `${account.baseUrl.replace(/\/+$/u, '')}/v3/projects/${project}${path}`;
}

/** Where a key is exchanged for a token: the vendor's own address, or this computer when the account lies there. */
export function tokenEndpoint(account: ProviderAccount): string {
  const base = new URL(account.baseUrl);
  return isLoopbackHost(base.hostname) ? new URL('/oauth2/token', base).href : tokenAddress;
}
