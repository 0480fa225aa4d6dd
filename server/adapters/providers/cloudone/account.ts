import { z } from 'zod';
import { sha256Hex } from '../../../platform/hash.ts';
import { isLoopbackHost } from '../../../platform/public-address.ts';
import type { ValuesOf } from '../../../platform/setting-kinds.ts';
import { trimEnd } from '../../../platform/trim-end.ts';
import type { cloudoneSettings } from './settings.ts';

export const cloudoneAccount = z
  .object({
    backend: z.literal('cloudone'),
    accountId: z.string(),
    baseUrl: z.string(),
    apiKey: z.string(),
    apiSecret: z.string(),
    /** Keys the signature of callbacks and notifications. */
    callbackToken: z.string().nullable(),
    /** True when signed callbacks are accepted; unsigned ones never are. */
    verifySignature: z.boolean(),
    /** True when notifications of received faxes must be signed; otherwise they are treated as hints. */
    verifyNotifications: z.boolean(),
  })
  .readonly();

export type CloudoneAccount = z.infer<typeof cloudoneAccount>;

/** The account that the settings name, or the sentence that says what is missing. */
export function cloudoneAccountOf(values: ValuesOf<typeof cloudoneSettings>): CloudoneAccount | string {
  const apiKey = values.CLOUDONE_API_KEY;
  const apiSecret = values.CLOUDONE_API_SECRET;
  if (!apiKey || !apiSecret)
    return 'The fax provider has no credentials yet: set its API key and secret first.';
  return {
    backend: 'cloudone',
    accountId: cloudoneAccountId(apiKey),
    baseUrl: values.CLOUDONE_API_URL ?? cloudoneBaseUrl,
    apiKey,
    apiSecret,
    callbackToken: values.CLOUDONE_CALLBACK_TOKEN,
    verifySignature: values.CLOUDONE_VERIFY_SIGNATURE,
    verifyNotifications: values.CLOUDONE_INBOUND_VERIFY_SIGNATURE,
  };
}

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
    return 'The provider address must not contain a password.';
  if (parsed.search !== '' || parsed.hash !== '') return 'The provider address must not contain a query.';
  if (parsed.protocol === 'https:') return null;
  if (parsed.protocol === 'http:' && isLoopbackHost(parsed.hostname)) return null;
  return 'The provider address must use HTTPS.';
}

/** `path` below the account's base address, e.g. `/faxes`. */
export function endpoint(baseUrl: string, path: string): string {
  return `${trimEnd(baseUrl, '/')}${path}`;
}
