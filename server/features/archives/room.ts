import { join } from 'node:path';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { ArchivesParts } from './parts.ts';
import { archivesServedRoutes } from './routes.ts';
import { createArchivesService } from './service.ts';
import { ARCHIVES_SETTINGS } from './settings.ts';

/** The room of archives: files with everything about the finished faxes of a past year. */
export function createArchives(
  parts: Omit<ArchivesParts, 'timeZone' | 'workDirectory'> & {
    readonly settings: SettingsService;
    readonly dataFolder: string;
  },
): Room {
  const service = createArchivesService({
    ...parts,
    logger: parts.logger.room('archives'),
    workDirectory: join(parts.dataFolder, 'work'),
    timeZone: () => parts.settings.get('TIME_ZONE'),
  });
  return defineRoom({
    name: 'archives',
    served: archivesServedRoutes(service),
    jobs: service.removals.jobs,
    settings: { names: ARCHIVES_SETTINGS, changed: async () => undefined },
    start: () => service.removals.start(),
    stop: () => service.removals.stop(),
  });
}
