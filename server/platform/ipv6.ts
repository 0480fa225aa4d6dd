/** An IPv6 address as addresses of pages write it. */
export function shortIpv6(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}
