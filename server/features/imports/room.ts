import { join } from 'node:path';
import { ImportManifest } from '../../../shared/api/imports.ts';
import type { ReadDb } from '../../db/database.ts';
import { check, sentenceOf } from '../../http/sentences.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { importRecord } from './import-record.ts';
import type { ImportsParts } from './parts.ts';
import { importsServedRoutes } from './routes.ts';
import { createImportsService } from './service.ts';
import { IMPORTS_SETTINGS, importsSettings } from './settings.ts';
import type { ImportRecord } from './types.ts';

interface ImportsRoomParts extends Omit<ImportsParts, 'settings' | 'workDirectory' | 'checkManifest'> {
  readonly settings: SettingsService;
}

interface ImportsRoom extends Room {
  /** Import records of received faxes. */
  readonly records: { find(db: ReadDb, inboundFaxId: string): Promise<ImportRecord | null> };
}

/** The room of documents that other systems received. */
export function createImports(given: ImportsRoomParts): ImportsRoom {
  const service = createImportsService({
    ...given,
    logger: given.logger.room('imports'),
    settings: importsSettings(given.settings),
    workDirectory: join(given.dataFolder, 'work'),
    checkManifest(value) {
      const checked = check(ImportManifest, value);
      return checked.success ? checked.data : { problem: sentenceOf(checked.error) };
    },
  });
  const room = defineRoom({
    name: 'imports',
    served: importsServedRoutes(service),
    jobs: service.jobs,
    settings: { names: IMPORTS_SETTINGS, changed: () => service.plan() },
    start: () => service.plan(),
    warnings: () => service.warnings(),
  });
  return { ...room, records: { find: importRecord } };
}
