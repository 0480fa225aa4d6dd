import { BlockList, isIP } from 'node:net';

/** An IPv4 address in its plain form, also where a socket that takes both families names it inside IPv6. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/iu, '');
}

/** Whether a text is an address such as `10.0.0.5`, or a range of them such as `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  return partsOf(text) !== null;
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
