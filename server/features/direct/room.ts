import { join } from 'node:path';
import type { Storage } from '../../adapters/storage/port.ts';
import type { NewMinuteLimit } from '../../http/rate-limit.ts';
import type { UnverifiedBodies } from '../../http/unverified-bodies.ts';
import { createUploadFile, MEMORY_BYTES } from '../../http/upload-file.ts';
import { createEventBus } from '../../platform/events.ts';
import { createKeyedHash } from '../../platform/hash.ts';
import { announcedEvents, type Change, defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { deliveryServedRoutes } from './deliveries/routes.ts';
import { createIdentity } from './identity.ts';
import type { PartnerEvents, PartnerParts } from './partners/parts.ts';
import type { DirectParts } from './parts.ts';
import { directServedRoutes } from './routes.ts';
import { createDirectService, type DirectService } from './service.ts';
import { DIRECT_SETTINGS, directSettings } from './settings.ts';

interface DirectRoomParts extends Omit<DirectParts, 'settings' | 'identity' | 'hashCode' | 'newFile'> {
  readonly settings: SettingsService;
  readonly hashSecret: Uint8Array;
  readonly dataFolder: string;
  readonly storage: Pick<Storage, 'newKey'>;
  /** Bounds what strangers can send. */
  readonly unverifiedBodies: UnverifiedBodies;
  readonly minuteLimit: NewMinuteLimit;
  /** Absolute path of the file with the identity. */
  readonly keyFile: string;
}

export interface DirectRoom extends Room {
  readonly service: DirectService;
}

/** The room of direct delivery: partners, and documents exchanged with them. */
export function createDirect({ hashSecret, keyFile, ...given }: DirectRoomParts): DirectRoom {
  const logger = given.logger.room('direct');
  const place = { directory: join(given.dataFolder, 'work'), newKey: () => given.storage.newKey() };
  const parts: PartnerParts = {
    ...given,
    logger,
    settings: directSettings(given.settings),
    identity: createIdentity({ ...given, logger, keyFile }),
    newFile: () => createUploadFile(place, { bytes: MEMORY_BYTES }),
    hashCode: createKeyedHash(hashSecret, 'codes of partners'),
    events: createEventBus<PartnerEvents>((error) => logger.error({ error }, 'a listener failed')),
  };
  const service = createDirectService(parts);
  const begin = async () => {
    if (parts.settings.enabled() && parts.seal.problem === null) await parts.identity.saveFile();
  };
  const room = defineRoom({
    name: 'direct',
    served: [
      ...directServedRoutes(service, given.unverifiedBodies),
      ...deliveryServedRoutes(service.deliveries, { ...given, bodies: given.unverifiedBodies }),
    ],
    jobs: service.jobs,
    events: [
      announcedEvents(
        'partner.changed',
        (listener: (partner: PartnerEvents['partner.changed']) => void) =>
          parts.events.on('partner.changed', listener),
        changeOf,
      ),
    ],
    settings: {
      names: DIRECT_SETTINGS,
      async changed(names) {
        await begin();
        if (names.has('DIRECT_DELIVERY_ENABLED')) await service.plan();
      },
    },
    async open() {
      // Nothing is written to a damaged store.
      if (parts.db.damage.isFound) return;
      await begin();
      await service.plan();
    },
    close: async () => service.abortRequests(),
    warnings: () => service.warnings(),
  });
  return { ...room, service };
}

function changeOf(data: PartnerEvents['partner.changed']): Change {
  const { id, version } = data;
  return {
    id,
    version,
    event: { kind: 'partner.changed', data, mayReceive: (caller) => caller.holds('settings:read') },
  };
}
