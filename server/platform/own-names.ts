import { hostname, type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

/** Networks of homes and offices first; the last one is also what containers are given. */
const LOCAL_NETWORKS = [/^192\.168\./u, /^10\./u, /^172\.(?:1[6-9]|2\d|3[01])\./u];

/**
 * The addresses of this computer that others can open: IPv4 before IPv6, home and office networks first. Loopback and
 * link-local addresses, which name their network only on this computer, are left out.
 */
export function networkAddresses(interfaces = networkInterfaces()): string[] {
  const outer = Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .filter((each) => !each.internal && !isLinkLocal(each));
  const [four, six] = (['IPv4', 'IPv6'] as const).map((family) =>
    outer.filter((each) => each.family === family).map((each) => each.address),
  ) as [string[], string[]];
  const near = LOCAL_NETWORKS.flatMap((network) => four.filter((each) => network.test(each)));
  return [...new Set([...near, ...four, ...six])];
}

/** Returns true for an address of a home or office network. */
export function isOnLocalNetwork(address: string): boolean {
  return LOCAL_NETWORKS.some((network) => network.test(address));
}

/** The names of this computer in its network: the one it gives itself there, then the bare one. */
export function hostNames(name = hostname()): string[] {
  const lower = name.toLowerCase();
  if (!/^(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/u.test(lower) || lower === 'localhost') return [];
  return lower.includes('.') ? [lower] : [`${lower}.local`, lower];
}

function isLinkLocal({ address }: NetworkInterfaceInfo): boolean {
  return /^(?:169\.254\.|fe[89ab])/iu.test(address);
}
