import type { Database } from '../../server/db/database.ts';
import { createSharedTime } from '../../server/db/shared-time.ts';
import { createAccess } from '../../server/features/access/room.ts';
import { createCountedEvents, createSecurityAudit } from '../../server/features/audit/service.ts';
import { createPairingService, type PairingService } from '../../server/features/pairing/service.ts';
import type { Clock } from '../../server/platform/clock.ts';
import { createKeyedHash } from '../../server/platform/hash.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';

const DATA_KEY = new Uint8Array(32);

/** The rooms of access and pairing on a store, without HTTP: for many visitors at once, and several processes. */
export async function openPairingRoom(db: Database, clock: Clock): Promise<PairingService> {
  const audit = createSecurityAudit({ clock });
  const logger = createLogger({ level: 'error', write: () => undefined });
  const access = createAccess({
    db,
    clock,
    sharedTime: createSharedTime({ db, clock, databaseClock: clock }),
    audit,
    counted: createCountedEvents({ db, clock, logger, seal: createSeal(DATA_KEY) }),
    seal: createSeal(DATA_KEY),
    hashSecret: DATA_KEY,
    logger,
    settings: {} as never,
    installationKey: 'a-key',
    listening: () => ({ host: '127.0.0.1', port: 1, secureOrigins: [] }),
    documents: { find: async () => new Map() },
  });
  await access.start();
  const baseUrls = () => ({ local: 'http://127.0.0.1:1', tunnel: null, public: null });
  const hashCode = createKeyedHash(DATA_KEY, 'pairing codes');
  return createPairingService({ db, clock, audit, access: access.service, hashCode, baseUrls });
}
