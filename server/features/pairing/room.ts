import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import { createKeyedHash } from '../../platform/hash.ts';
import type { AccessService } from '../access/service.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { HttpsService } from '../https/service.ts';
import { defineRoom, type Room } from '../room.ts';
import type { Settings } from '../settings/service.ts';
import { localUrl } from './local-url.ts';
import { pairingServedRoutes } from './routes.ts';
import { createPairingService } from './service.ts';

interface PairingRoomParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly access: AccessService;
  readonly settings: Settings;
  readonly https: HttpsService;
  readonly hashSecret: Uint8Array;
  readonly listening: () => { host: string; port: number };
}

/** The room that lets mobile devices in. */
export function createPairing(parts: PairingRoomParts): Room {
  const { hashSecret, settings, listening, https } = parts;
  const service = createPairingService({
    ...parts,
    hashCode: createKeyedHash(hashSecret, 'pairing codes'),
    baseUrls: () => ({
      local: https.addresses()[0] ?? localUrl(listening()),
      tunnel: null,
      public: settings.get('PUBLIC_API_URL'),
    }),
  });
  return defineRoom({
    name: 'pairing',
    served: pairingServedRoutes(service),
    settings: { names: ['PUBLIC_API_URL'], changed: async () => undefined },
    start: () => service.start(),
  });
}
