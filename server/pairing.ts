import type { NetworkInterfaceInfo } from 'node:os';
import type { Database } from './db/database.ts';
import type { AccessService } from './features/access/service.ts';
import type { SecurityAudit } from './features/audit/service.ts';
import { createPairing, type PairingService } from './features/pairing/service.ts';
import type { SettingsService } from './features/settings/service.ts';
import { urlHost } from './http/listening.ts';
import type { HttpsDoor } from './https-door.ts';
import type { Clock } from './platform/clock.ts';
import { createKeyedHash } from './platform/keyed-hash.ts';
import { isOnLocalNetwork, networkAddresses } from './platform/own-names.ts';

export interface PairingNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly access: AccessService;
  readonly settings: SettingsService;
  readonly dataKey: Uint8Array;
  readonly https: HttpsDoor;
  readonly listening: () => { host: string; port: number };
}

/** The room that lets mobile devices in. */
export function openPairing({ dataKey, settings, listening, https, ...parts }: PairingNeeds): PairingService {
  return createPairing({
    ...parts,
    hashCode: createKeyedHash(dataKey, 'pairing codes'),
    baseUrls: () => ({
      local: https.addresses()[0] ?? localUrl(listening()),
      tunnel: null,
      public: settings.get('PUBLIC_API_URL'),
    }),
  });
}

const EVERYWHERE = new Set(['0.0.0.0', '::']);

/** The gateway's address on the local network when it listens there without HTTPS, else its own. */
export function localUrl(
  { host, port }: { host: string; port: number },
  interfaces?: NodeJS.Dict<NetworkInterfaceInfo[]>,
): string {
  const onNetwork = networkAddresses(interfaces).find(isOnLocalNetwork);
  return `http://${urlHost(EVERYWHERE.has(host) ? (onNetwork ?? host) : host)}:${port}`;
}
