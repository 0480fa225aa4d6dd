import type { Settings } from '../features/settings/room.ts';
import { createRangeCheck } from '../platform/address-range.ts';

/** The settings for every request: values in force now. */
export function requestSettings(settings: Settings) {
  return {
    perMinute: () => settings.get('MAX_REQUESTS_PER_MINUTE'),
    mostUploadBytes: () => settings.get('MAX_FILE_SIZE_MB') * 1024 * 1024,
    trustedProxies: () => settings.get('TRUSTED_PROXIES'),
    allowedOrigins: () => settings.get('ALLOWED_ORIGINS'),
  };
}

/** Follows the setting; its list is read anew only after a change. */
export function proxyCheck(trustedProxies: () => readonly string[]): (address: string) => boolean {
  let known = trustedProxies();
  let check = createRangeCheck(known);
  return (address) => {
    const now = trustedProxies();
    if (now !== known) check = createRangeCheck(now);
    known = now;
    return check(address);
  };
}
