import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import type { Database } from './db/database.ts';
import type { AccessService } from './features/access/service.ts';
import type { SecurityAudit } from './features/audit/service.ts';
import { createPairing, type PairingService } from './features/pairing/service.ts';
import type { SettingsService } from './features/settings/service.ts';
import { urlHost } from './http/listening.ts';
import type { Clock } from './platform/clock.ts';
import { createKeyedHash } from './platform/keyed-hash.ts';

export interface PairingNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly access: AccessService;
  readonly settings: SettingsService;
  readonly dataKey: Uint8Array;
  readonly listening: () => { host: string; port: number };
}

/** The room that lets mobile devices in. */
export function openPairing({ dataKey, settings, listening, ...parts }: PairingNeeds): PairingService {
  return createPairing({
    ...parts,
    hashCode: createKeyedHash(dataKey, 'pairing codes'),
    baseUrls: () => ({
      local: localUrl(listening(), networkInterfaces()),
      tunnel: null,
      public: settings.get('PUBLIC_API_URL'),
    }),
  });
}

const EVERYWHERE = new Set(['0.0.0.0', '::']);
/** Networks of homes and offices first; the last one is also what containers are given. */
const LOCAL_NETWORKS = [/^192\.168\./u, /^10\./u, /^172\.(?:1[6-9]|2\d|3[01])\./u];

/** The gateway's address on the local network when it listens there, else its own. */
export function localUrl(
  { host, port }: { host: string; port: number },
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>,
): string {
  const outer = Object.values(interfaces).flatMap((each) => each ?? []);
  const addresses = outer
    .filter((each) => each.family === 'IPv4' && !each.internal)
    .map((each) => each.address);
  const onNetwork = LOCAL_NETWORKS.flatMap((network) => addresses.filter((each) => network.test(each)))[0];
  return `http://${urlHost(EVERYWHERE.has(host) ? (onNetwork ?? host) : host)}:${port}`;
}
