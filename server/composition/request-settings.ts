import type { Settings } from '../features/settings/room.ts';
import { createRangeCheck } from '../platform/address-range.ts';

/** Returns functions that read the current settings of all requests. */
export function requestSettings(settings: Settings) {
  return {
    requestsPerMinute: () => settings.get('MAX_REQUESTS_PER_MINUTE'),
    maxUploadBytes: () => settings.get('MAX_FILE_SIZE_MB') * 1024 * 1024,
    trustedProxies: () => settings.get('TRUSTED_PROXIES'),
    allowedOrigins: () => settings.get('ALLOWED_ORIGINS'),
  };
}

/** Returns a function that is true for the address of a trusted proxy. It parses the setting again only after a change. */
export function proxyCheck(trustedProxies: () => readonly string[]): (address: string) => boolean {
  let parsed = trustedProxies();
  let isTrusted = createRangeCheck(parsed);
  return (address) => {
    const current = trustedProxies();
    if (current !== parsed) isTrusted = createRangeCheck(current);
    parsed = current;
    return isTrusted(address);
  };
}
