import { createKeyedHash } from '../../platform/hash.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { createIdentity } from './identity.ts';
import type { DirectParts } from './parts.ts';
import { directServedRoutes } from './routes.ts';
import { createDirectService, type DirectService } from './service.ts';
import { DIRECT_SETTINGS, directSettings } from './settings.ts';

interface DirectRoomParts extends Omit<DirectParts, 'settings' | 'identity' | 'hashCode'> {
  readonly settings: SettingsService;
  readonly dataKey: Uint8Array;
  /** Absolute path of the file with the identity. */
  readonly keyFile: string;
}

export interface DirectRoom extends Room {
  readonly service: DirectService;
}

/** The room of direct delivery: partners, and documents exchanged with them. */
export function createDirect({ dataKey, keyFile, ...given }: DirectRoomParts): DirectRoom {
  const logger = given.logger.room('direct');
  const parts: DirectParts = {
    ...given,
    logger,
    settings: directSettings(given.settings),
    identity: createIdentity({ ...given, logger, keyFile }),
    hashCode: createKeyedHash(dataKey, 'codes of partners'),
  };
  const service = createDirectService(parts);
  const begin = async () => {
    if (parts.settings.enabled() && parts.seal.problem === null && !parts.db.damage.isFound)
      await parts.identity.saveFile();
  };
  const room = defineRoom({
    name: 'direct',
    served: directServedRoutes(service),
    jobs: service.jobs,
    settings: { names: DIRECT_SETTINGS, changed: begin },
    open: begin,
    warnings: async () => service.warnings(),
  });
  return { ...room, service };
}
