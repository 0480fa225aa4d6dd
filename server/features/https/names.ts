import { isIP } from 'node:net';
import { shortIpv6 } from '../../platform/ipv6.ts';
import { hostNames, networkAddresses } from '../../platform/own-names.ts';
import { isLoopbackHost } from '../../platform/public-address.ts';
import type { HttpsSettings } from './settings.ts';

/** Host that the gateway listens on over HTTPS, its further names, and the host name that is announced in the network. */
type Names = Pick<HttpsSettings, 'host' | 'names'> & { readonly announcedHost?: string | null };

const ANY_ADDRESS = ['0.0.0.0', '::'];

/** Returns all names and addresses by which pages may reach this computer, the best known first. */
export function certificateNames({ host, names, announcedHost = null }: Names): [string, ...string[]] {
  const announced = announcedHost === null ? [] : [announcedHost];
  const own = [...ownNames(), ...(ANY_ADDRESS.includes(host) ? [] : [host]), ...announced];
  const all = [...names, ...own].map(shortName);
  const [first = 'localhost', ...rest] = [...new Set([...all, 'localhost', '127.0.0.1', '::1'])];
  return [first, ...rest];
}

/**
 * Returns the addresses for people on other computers. `given` are the names in a certificate supplied by the
 * administrator.
 */
export function addressesToOpen(settings: Names, port: number, given: readonly string[] | null): string[] {
  const named = [...settings.names, ...(given ?? [])].map(shortName);
  const listening = ANY_ADDRESS.includes(settings.host) ? ownNames() : [settings.host];
  // A browser refuses an address that the certificate does not name.
  const names = given
    ? named.filter((name) => given.includes(name))
    : [...named, ...listening.map(shortName)];
  const outer = names.filter((name) => !isLoopbackHost(name));
  return [...new Set(outer.length > 0 ? outer : names)].map((name) => originAt(name, port));
}

/**
 * Returns this computer's addresses and host names: short ones that work on every computer of the network first, IPv6
 * last.
 */
function ownNames(): string[] {
  const addresses = networkAddresses();
  const isLong = (address: string) => isIP(address) === 6;
  return [...addresses.filter((each) => !isLong(each)), ...hostNames(), ...addresses.filter(isLong)];
}

/** `https://name:port` as a browser names it. */
export function originAt(name: string, port: number): string {
  return new URL(`https://${isIP(name) === 6 ? `[${name}]` : name}:${port}`).origin;
}

function shortName(name: string): string {
  return isIP(name) === 6 ? shortIpv6(name) : name.toLowerCase();
}
