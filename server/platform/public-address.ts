import { BlockList, isIP } from 'node:net';
import { ipv6Groups } from './ipv6.ts';

/** Ranges of IANA's special-purpose registry that are not reachable from the internet, or not a single host. */
const specialIpv4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/** Inside 2000::/3, the only global unicast range: documentation, protocol assignments and tunnels to any IPv4. */
const specialIpv6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

const globalUnicast = blockList('ipv6', [['2000::', 3]]);

/**
 * Returns true when `ip` (a literal, without brackets) is one host on the public internet. False for private, shared,
 * loopback, link-local (with the metadata address), multicast, unspecified and documentation addresses, and for
 * anything that is not an address. An IPv4 inside IPv6 (mapped, or the well-known translation prefix) is judged by the
 * IPv4.
 */
export function isPublicAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return !specialIpv4.check(ip, 'ipv4');
  if (family !== 6 || ip.includes('%')) return false;
  const embedded = embeddedIpv4(ip);
  if (embedded !== null) return isPublicAddress(embedded);
  return globalUnicast.check(ip, 'ipv6') && !specialIpv6.check(ip, 'ipv6');
}

/** True for `localhost` and loopback literals, as they stand in `URL.hostname` (brackets allowed). No name is looked up. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/u, '$1').toLowerCase();
  if (host === 'localhost') return true;
  const family = isIP(host);
  if (family === 4) return host.startsWith('127.');
  if (family !== 6 || host.includes('%')) return false;
  const embedded = embeddedIpv4(host);
  if (embedded !== null) return embedded.startsWith('127.');
  return ipv6Groups(host).join(':') === '0:0:0:0:0:0:0:1';
}

function embeddedIpv4(ip: string): string | null {
  const groups = ipv6Groups(ip);
  const prefix = groups.slice(0, 6).join(':');
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0') return null;
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 255])
    .join('.');
}

function blockList(family: 'ipv4' | 'ipv6', ranges: ReadonlyArray<readonly [string, number]>): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}
