import { defineRoom, type Room } from '../room.ts';
import { type BucketParts, bucketWarnings } from './bucket-warnings.ts';
import { storageServedRoutes } from './routes.ts';
import { createStorageService, type StorageServiceParts } from './service.ts';
import { createUpkeep, type UpkeepParts } from './upkeep.ts';

export {
  findMismatch,
  joinStore,
  refuseMismatch,
  setUnnamedAside,
} from './join-store.ts';
export { bucketSettings } from './settings.ts';
export { createKeptBucket, shareDocuments } from './sharing.ts';
export { findInstallation } from './store.ts';

const TICK_MS = 60_000;
const MISMATCH =
  'The documents folder does not belong to this database: its disk may not be connected, or another gateway with the same database may use a different folder. Stop Faxdesk, put the right folder in place and start it again.';

/**
 * Keeps the stored documents and the store together: what no row names is set aside, and nothing is deleted for it. Each
 * gateway does so for itself, since each has folders of its own.
 */
export function createStorage(parts: UpkeepParts & BucketParts & StorageServiceParts): Room {
  const upkeep = createUpkeep({ ...parts, logger: parts.logger.room('storage') });
  let timer: NodeJS.Timeout | undefined;
  return defineRoom({
    name: 'storage',
    served: storageServedRoutes(createStorageService(parts)),
    async start() {
      upkeep.begin();
      timer = setInterval(() => void upkeep.run(), TICK_MS);
      timer.unref();
    },
    async open() {
      upkeep.clearAfterStart();
    },
    async stop() {
      clearInterval(timer);
      await upkeep.stop();
    },
    catchUp: () => upkeep.run(),
    warnings: async () => [...(upkeep.isMatched ? [] : [MISMATCH]), ...bucketWarnings(parts)],
  });
}
