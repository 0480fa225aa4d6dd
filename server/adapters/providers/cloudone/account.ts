import { sha256Hex } from '../../../platform/hash.ts';
import { isLoopbackHost } from '../../../platform/public-address.ts';

/** The documented host with the prefix that the vendor's own clients use. */
export const cloudoneBaseUrl = 'https://api.phaxio.com/v2.1';

/** The name of an account in evidence: `cloudone:` and the first 12 hex digits of the key's SHA-256. */
export function cloudoneAccountId(apiKey: string): string {
  return `cloudone:${sha256Hex(apiKey).slice(0, 12)}`;
}

/** Null when the address may be used: HTTPS (the documented host, or an override), or plain HTTP to this computer. */
export function checkBaseUrl(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null) return 'The provider address is not a web address.';
  if (parsed.username !== '' || parsed.password !== '')
    return 'The provider address must not hold a password.';
  if (parsed.search !== '' || parsed.hash !== '') return 'The provider address must not hold a query.';
  if (parsed.protocol === 'https:') return null;
  if (parsed.protocol === 'http:' && isLoopbackHost(parsed.hostname)) return null;
  return 'The provider address must use HTTPS.';
}

/** `path` below the account's base address, e.g. `/faxes`. */
export function endpoint(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/u, '')}${path}`;
}
