import type { NetworkInterfaceInfo } from 'node:os';
import { isOnLocalNetwork, networkAddresses } from '../../platform/own-names.ts';
import { urlHost } from '../../platform/url-host.ts';

const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

/** The gateway's address on the local network when it listens there without HTTPS, else its own. */
export function localUrl(
  { host, port }: { host: string; port: number },
  interfaces?: NodeJS.Dict<NetworkInterfaceInfo[]>,
): string {
  const onNetwork = networkAddresses(interfaces).find(isOnLocalNetwork);
  return `http://${urlHost(ANY_ADDRESS.has(host) ? (onNetwork ?? host) : host)}:${port}`;
}
