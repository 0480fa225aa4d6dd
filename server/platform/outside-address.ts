import { isIP } from 'node:net';
import { isLoopbackHost, isPublicAddress } from './public-address.ts';

/** Endings of names that the public DNS does not resolve. */
const PRIVATE_ENDINGS = [
  '.local',
  '.localhost',
  '.lan',
  '.internal',
  '.intranet',
  '.private',
  '.corp',
  '.home',
  '.home.arpa',
  '.test',
  '.invalid',
];

/**
 * Returns the reason why a host cannot be reached from the internet, judged by its name alone: the second half of a
 * sentence about it, or null when there is none. `hostname` as in `URL.hostname`.
 */
export function localHostReason(hostname: string): string | null {
  const host = hostname
    .replace(/^\[(.*)\]$/u, '$1')
    .replace(/\.$/u, '')
    .toLowerCase();
  if (isLoopbackHost(host) || host.endsWith('.localhost')) return 'it leads to this computer only';
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'it is an address of a private network';
  const isNear = !host.includes('.') || PRIVATE_ENDINGS.some((ending) => host.endsWith(ending));
  return isNear ? 'this name works only in your own network' : null;
}

/**
 * Returns a sentence that explains why no provider can reach a web address from outside; null when one may. The only
 * code that decides it, for links to documents, callbacks and notifications.
 */
export function unreachableReason(address: string): string | null {
  const url = URL.parse(address);
  const near = url === null ? 'it is not a web address' : localHostReason(url.hostname);
  const reason = near ?? (url?.protocol === 'https:' ? null : 'it does not begin with https://');
  return reason === null ? null : `No provider can reach ${address}: ${reason}.`;
}

/** The address when a provider can reach it, else null. */
export function reachableAddress(address: string | null): string | null {
  return address === null || unreachableReason(address) !== null ? null : address;
}
