import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { isPrivateAddress } from '../../platform/public-address.ts';

/** A network interface with one family of addresses, on which services are announced. */
export interface Link {
  /** Differs for other addresses of the same interface. */
  readonly key: string;
  readonly family: 4 | 6;
  /** Name of the interface for the multicast functions of the system: an address, or `::%eth0`. */
  readonly member: string;
  /** Addresses of the interface, without zone. */
  readonly addresses: readonly string[];
  /** Returns true for an address of a neighbor on this interface, as a socket reports it. */
  isNeighbor(address: string): boolean;
}

type Interfaces = ReturnType<typeof networkInterfaces>;
type Family = Link['family'];

/** Returns the links of a service that listens at an address of this computer, at `0.0.0.0` or at `::`. */
export function linksFor(address: string, interfaces: Interfaces = networkInterfaces()): Link[] {
  return Object.entries(interfaces).flatMap(([name, all = []]) => {
    if (address === '::') return isLocal(all) ? makeLinks(name, all, [4, 6]) : [];
    if (address === '0.0.0.0') return isLocal(all) ? makeLinks(name, all, [4]) : [];
    const own = all.filter((each) => each.address === address);
    return own.length === 0 ? [] : makeLinks(name, own, [isIPv4(address) ? 4 : 6], all);
  });
}

/** Returns the addresses of a service on a link: only those at which it listens. */
export function reachedAt(address: string, link: Link): readonly string[] {
  if (address === '::' || (address === '0.0.0.0' && link.family === 4)) return link.addresses;
  return link.addresses.filter((each) => each === address);
}

/** Returns true for interfaces of a home or office: those with a private address, without loopback. */
function isLocal(all: readonly NetworkInterfaceInfo[]): boolean {
  return all.some(
    (each) => !each.internal && (isPrivateAddress(each.address) || isSelfAssigned(each.address)),
  );
}

const isSelfAssigned = (address: string) => address.startsWith('169.254.');

function makeLinks(
  name: string,
  shown: readonly NetworkInterfaceInfo[],
  families: readonly Family[],
  all = shown,
): Link[] {
  return families.flatMap((family) => {
    const own = shown.filter((each) => each.family === `IPv${family}`);
    const [first] = own;
    if (first === undefined) return [];
    const addresses = own.map(({ address }) => address);
    const link = family === 4 ? ipv4Link(first, own) : ipv6Link(name, all);
    return [{ ...link, family, addresses, key: `${name} ${family} ${addresses.join(' ')}` }];
  });
}

type LinkPart = Pick<Link, 'member' | 'isNeighbor'>;

function ipv4Link(first: NetworkInterfaceInfo, own: readonly NetworkInterfaceInfo[]): LinkPart {
  const networks = new BlockList();
  for (const { address, cidr } of own) networks.addSubnet(address, Number(cidr?.split('/')[1] ?? 32), 'ipv4');
  return {
    member: first.address,
    isNeighbor: (address) => isIPv4(address) && networks.check(address, 'ipv4'),
  };
}

/** Multicast DNS over IPv6 goes from link-local addresses, which a socket reports with their interface. */
function ipv6Link(name: string, all: readonly NetworkInterfaceInfo[]): LinkPart {
  const scope = all.find((each) => each.family === 'IPv6' && each.scopeid > 0)?.scopeid;
  const zone = process.platform === 'win32' && scope !== undefined ? String(scope) : name;
  const isLoopback = all.some(({ internal }) => internal);
  return {
    member: `::%${zone}`,
    isNeighbor(address) {
      const [bare = '', ownZone] = address.split('%');
      if (isLoopback) return bare === '::1';
      return isIPv6(bare) && /^fe[89ab]/iu.test(bare) && ownZone === zone;
    },
  };
}
