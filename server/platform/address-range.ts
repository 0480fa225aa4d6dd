import { BlockList, isIP } from 'node:net';
import { ipv6Groups } from './ipv6.ts';

/** An IPv4 address in its plain form, also where a socket that takes both families names it inside IPv6. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/iu, '');
}

/** By what callers are counted: an IPv4 address in its plain form, or the network of 64 bits that an IPv6 address is of. */
export function addressGroup(address: string): string {
  const plain = plainAddress(address);
  return isIP(plain) === 6 && !plain.includes('%') ? ipv6Groups(plain).slice(0, 4).join(':') : plain;
}

/** Returns true for an address such as `10.0.0.5`, or a range such as `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  return partsOf(text) !== null;
}

/** Networks that are private as a whole, however wide they are. */
const PRIVATE_IPV6 = 7;
const MIN_PREFIX_BITS = { ipv4: 8, ipv6: 16 } as const;
/** All of IPv4 stands in IPv6 below `::ffff:0:0/96`. */
const MAPPED_BITS = 96;

/**
 * Returns true for a range so wide that it includes strangers from everywhere: more than `/8` of IPv4, or `/16` of IPv6
 * but for its private networks `fc00::/7`.
 */
export function isTooWide(text: string): boolean {
  const parts = partsOf(text);
  if (parts === null) return false;
  const { network, prefix, family } = parts;
  if (family === 'ipv4') return prefix < MIN_PREFIX_BITS.ipv4;
  const groups = ipv6Groups(network);
  const holdsIpv4 = groups.slice(0, 5).every((group) => group === '0');
  if (holdsIpv4) return prefix < MAPPED_BITS + MIN_PREFIX_BITS.ipv4;
  return prefix < (/^f[cd]/u.test(groups[0] ?? '') ? PRIVATE_IPV6 : MIN_PREFIX_BITS.ipv6);
}

/** Answers whether an address lies in one of the ranges; what is neither address nor range covers nothing. */
export function createRangeCheck(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const { network, prefix, family } of ranges.map(partsOf).filter((parts) => parts !== null))
    list.addSubnet(network, prefix, family);
  return (address) => {
    const plain = plainAddress(address);
    const family = familyOf(plain);
    return family !== null && list.check(plain, family);
  };
}

function partsOf(text: string): { network: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [, network = '', bits] = /^([^/]+?)(?:\/(\d{1,3}))?$/u.exec(text) ?? [];
  const family = familyOf(network);
  if (family === null || network.includes('%')) return null;
  const most = family === 'ipv4' ? 32 : 128;
  const prefix = bits === undefined ? most : Number(bits);
  return prefix <= most ? { network, prefix, family } : null;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6';
}
