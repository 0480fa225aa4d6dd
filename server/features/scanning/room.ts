import { join } from 'node:path';
import type { Storage } from '../../adapters/storage/port.ts';
import { createUploadFile } from '../../http/upload-file.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { PrintingService } from '../printing/service.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { ScanningParts } from './parts.ts';
import { scanningServedRoutes } from './routes.ts';
import type { Scanners } from './scanner-port.ts';
import { discardScan, discardUnused } from './scanning.ts';
import { createScanningService } from './service.ts';
import { SCANNING_SETTINGS, scannerAddresses } from './settings.ts';

/** Interval at which scans that nobody uses are looked for. */
const LOOK_MS = 60_000;

interface ScanningRoomParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scanners: Scanners;
  readonly settings: SettingsService;
  readonly storage: Pick<Storage, 'newKey'>;
  readonly printing: Pick<PrintingService, 'keepScan'>;
  readonly dataFolder: string;
  /** Largest document in bytes. */
  readonly maxFileBytes: () => number;
}

/** The room of scan to fax: scanned pages become a document that waits on the Send screen. It never sends anything. */
export function createScanning(given: ScanningRoomParts): Room {
  const place = { directory: join(given.dataFolder, 'work'), newKey: () => given.storage.newKey() };
  const parts: ScanningParts = {
    ...given,
    logger: given.logger.room('scanning'),
    addresses: () => scannerAddresses(given.settings),
    // On the disk from the first byte: a scan may wait for half an hour.
    newFile: () => createUploadFile(place, { bytes: 0 }),
    searching: null,
    scans: new Map(),
  };
  const discard = () =>
    discardUnused(parts).catch((error: unknown) =>
      parts.logger.warn({ error }, 'scans that nobody used were not removed'),
    );
  let timer: NodeJS.Timeout | undefined;
  return defineRoom({
    name: 'scanning',
    served: scanningServedRoutes(createScanningService(parts)),
    settings: { names: SCANNING_SETTINGS, changed: async () => undefined },
    async open() {
      timer = setInterval(() => void discard(), LOOK_MS).unref();
    },
    catchUp: discard,
    async close() {
      clearInterval(timer);
      await Promise.all([...parts.scans.values()].map((scan) => discardScan(parts, scan)));
    },
  });
}
