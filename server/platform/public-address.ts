import { BlockList, isIP } from 'node:net';

type Range = readonly [network: string, prefix: number];

const LOOPBACK_IPV4: Range = ['127.0.0.0', 8];

/** Ranges of IANA's special-purpose registry that are not reachable from the internet, or not a single host. */
const SPECIAL_IPV4: readonly Range[] = [
  LOOPBACK_IPV4,
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
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
];

/** Inside 2000::/3, the only global unicast range: documentation, protocol assignments and tunnels to any IPv4. */
const SPECIAL_IPV6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** The well-known prefix under which IPv6 networks translate IPv4 addresses (RFC 6052). */
const TRANSLATED = '64:ff9b::';

/** `BlockList` itself finds an IPv4 mapped into IPv6 (`::ffff:0:0/96`) in the ranges of IPv4, and no translated one. */
const special = blockList({
  ipv4: SPECIAL_IPV4,
  ipv6: [...SPECIAL_IPV6, ...SPECIAL_IPV4.map(translated)],
});

const maybePublicIpv6 = blockList({
  ipv4: [],
  ipv6: [
    ['2000::', 3],
    ['::ffff:0:0', 96],
    [TRANSLATED, 96],
  ],
});

const loopback = blockList({ ipv4: [LOOPBACK_IPV4], ipv6: [['::1', 128], translated(LOOPBACK_IPV4)] });

/**
 * Returns true when `ip` (a literal, without brackets) is one host on the public internet. False for private, shared,
 * loopback, link-local (with the metadata address), multicast, unspecified and documentation addresses, and for
 * anything that is not an address. An IPv4 inside IPv6 (mapped, or the well-known translation prefix) is judged by the
 * IPv4.
 */
export function isPublicAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return !special.check(ip, 'ipv4');
  if (family !== 6 || ip.includes('%')) return false;
  return maybePublicIpv6.check(ip, 'ipv6') && !special.check(ip, 'ipv6');
}

/** Networks of an office: private ones and this computer, without link-local, multicast and other special addresses. */
const office = blockList({
  ipv4: [LOOPBACK_IPV4, ['10.0.0.0', 8], ['100.64.0.0', 10], ['172.16.0.0', 12], ['192.168.0.0', 16]],
  ipv6: [
    ['::1', 128],
    ['fc00::', 7],
  ],
});

/**
 * Returns true when `ip` (a literal, without brackets) is this computer or one in a private network. False for public
 * addresses, for link-local ones (with the metadata address of clouds), multicast and unspecified ones, and for anything
 * that is not an address. An IPv4 mapped into IPv6 is judged by the IPv4.
 */
export function isPrivateAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return office.check(ip, 'ipv4');
  return family === 6 && !ip.includes('%') && office.check(ip, 'ipv6');
}

/** True for `localhost` and loopback literals, as they stand in `URL.hostname` (brackets allowed). No name is looked up. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/u, '$1').toLowerCase();
  if (host === 'localhost') return true;
  const family = isIP(host);
  if (family === 4) return loopback.check(host, 'ipv4');
  return family === 6 && !host.includes('%') && loopback.check(host, 'ipv6');
}

/** Returns true for the address of a peer on this computer: IPv4 in its plain form, or `::1`. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && loopback.check(address, 'ipv4'));
}

function translated([network, prefix]: Range): Range {
  return [`${TRANSLATED}${network}`, 96 + prefix];
}

function blockList(ranges: Readonly<Record<'ipv4' | 'ipv6', readonly Range[]>>): BlockList {
  const list = new BlockList();
  for (const family of ['ipv4', 'ipv6'] as const)
    for (const [network, prefix] of ranges[family]) list.addSubnet(network, prefix, family);
  return list;
}
