import { join } from 'node:path';
import { createUploadFile, MEMORY_BYTES } from '../../http/upload-file.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { hasRoomFor } from '../../platform/disk-space.ts';
import type { Caller } from '../access/service.ts';
import { announcedEvents, type Change, defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { definePrintedCleanup } from './cleanup.ts';
import { createPrintedNotifier } from './notifier.ts';
import type { PrintingParts } from './parts.ts';
import { createPrinters } from './printer/printers.ts';
import { printingServedRoutes } from './routes.ts';
import { createPrintingService, type PrintingService } from './service.ts';
import { PRINTING_SETTINGS, printingSettings } from './settings.ts';
import type { ChangedDocument } from './types.ts';

export { PRINTED_DOCUMENTS } from './stored-documents.ts';

interface PrintingRoomParts
  extends Omit<PrintingParts, 'settings' | 'notifier' | 'newFile' | 'hasRoom' | 'organization'> {
  readonly settings: SettingsService;
  readonly dataFolder: string;
  /** Reads the icon of the printer, a PNG. */
  readonly icon: () => Promise<Uint8Array>;
}

export interface PrintingRoom extends Room {
  readonly service: PrintingService;
}

/** The room of print to fax: a printer whose documents wait on the Send screen. It never sends anything. */
export function createPrinting(given: PrintingRoomParts): PrintingRoom {
  const logger = given.logger.room('printing');
  const place = { directory: join(given.dataFolder, 'work'), newKey: () => given.storage.newKey() };
  const notifier = createPrintedNotifier({ db: given.db, logger });
  const parts: PrintingParts = {
    ...given,
    logger,
    notifier,
    settings: printingSettings(given.settings),
    newFile: () => createUploadFile(place, { bytes: MEMORY_BYTES }),
    hasRoom: () => hasRoomFor(place.directory, 0),
    organization: () => given.settings.get('FAX_ORGANIZATION'),
  };
  const printers = createPrinters(parts, given.icon);
  const cleanup = definePrintedCleanup(parts);
  const service = createPrintingService(parts, printers);
  const room = defineRoom({
    name: 'printing',
    served: printingServedRoutes(service),
    jobs: [cleanup.definition as unknown as JobDefinition<never>],
    events: [announcedEvents('printed.changed', (listener) => notifier.listen(listener), changeOf)],
    settings: {
      names: [...PRINTING_SETTINGS, 'FAX_ORGANIZATION', 'HTTPS_ENABLED'],
      async changed() {
        await printers.update();
        await cleanup.plan();
      },
    },
    start: () => cleanup.plan(),
    open: () => printers.start(),
    close: (graceMs) => printers.stop(graceMs),
    catchUp: () => printers.update(),
    warnings: async () => printers.problems(),
  });
  return { ...room, service };
}

function changeOf({ id, version, ownerId }: ChangedDocument): Change {
  const mayReceive = (caller: Caller) =>
    !caller.isTest && (ownerId === null ? caller.holdsAnywhere('fax:send') : ownerId === caller.principal.id);
  return {
    id,
    version,
    event: { kind: 'printed.changed', data: { id, version }, mayReceive },
  };
}
