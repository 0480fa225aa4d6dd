import { isIPv4, isIPv6 } from 'node:net';
import type { FoundScanner } from '../../features/scanning/scanner-port.ts';
import {
  type FoundService,
  plainText,
  type ServiceRecord,
  searchServices,
  servicesIn,
} from '../../platform/service-search.ts';
import { urlHost } from '../../platform/url-host.ts';
import { plainUuid } from './identity.ts';

// Names and facts as Mopria's eSCL specification and Apple's Bonjour printing specification give them.
const PLAIN = '_uscan._tcp.local';
const SECURE = '_uscans._tcp.local';
const HOST_NAME = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})*$/iu;
const PATH = /^[A-Za-z0-9._~/-]{0,200}$/u;
const LINK_LOCAL = /^fe[89ab]/iu;
const MAX_SCANNERS = 30;
const MAX_ADDRESSES = 20;

/** Returns the scanners that announce themselves in the local network, by name. Takes about a second. Never rejects. */
export async function searchScanners(): Promise<FoundScanner[]> {
  return scannersOf(await searchServices([PLAIN, SECURE]));
}

/**
 * Reads the scanners out of the records of each interface. One that answers on several interfaces, or with and without
 * encryption, is one: without it first, as scanners sign their own certificates.
 */
export function scannersOf(interfaces: readonly (readonly ServiceRecord[])[]): FoundScanner[] {
  const found = [
    ...interfaces.flatMap((records) =>
      servicesIn(records, PLAIN).map((service) => [service, 'http'] as const),
    ),
    ...interfaces.flatMap((records) =>
      servicesIn(records, SECURE).map((service) => [service, 'https'] as const),
    ),
  ];
  const scanners = new Map<string, FoundScanner>();
  for (const [service, scheme] of found) {
    const urls = urlsOf(service, scheme);
    const [url] = urls;
    if (url === undefined) continue;
    const uuid = plainUuid(service.facts.get('uuid') ?? '');
    const key = uuid || service.name;
    const known = scanners.get(key);
    const model = plainText(service.facts.get('ty') ?? '');
    scanners.set(key, {
      name: service.name || model || service.target,
      model,
      place: plainText(service.facts.get('note') ?? ''),
      url,
      uuid,
      ...known,
      urls: [...new Set([...(known?.urls ?? []), ...urls])].slice(0, MAX_ADDRESSES),
    });
  }
  return [...scanners.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en')).slice(0, MAX_SCANNERS);
}

/** Returns the addresses of a scanner, the one to use first; empty where it gives none that can be used. */
function urlsOf({ addresses, target, port, facts }: FoundService, scheme: string): string[] {
  const hosts = [
    ...addresses.filter((address) => isIPv4(address) && address !== '0.0.0.0'),
    ...addresses.filter((address) => isIPv6(address) && !LINK_LOCAL.test(address)),
    ...(HOST_NAME.test(target) ? [target] : []),
  ];
  const path = (facts.get('rs') ?? 'eSCL').replace(/^\/+/u, '').replace(/\/+$/u, '');
  if (!PATH.test(path)) return [];
  return hosts.slice(0, MAX_ADDRESSES).flatMap((host) => {
    const url = URL.parse(`${scheme}://${urlHost(host)}:${port}`);
    return url === null ? [] : `${url.origin}/${path || 'eSCL'}`;
  });
}
