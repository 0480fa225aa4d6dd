import { join } from 'node:path';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { ArchivesParts } from './parts.ts';
import { archivesServedRoutes } from './routes.ts';
import { createArchivesService } from './service.ts';
import { ARCHIVES_SETTINGS } from './settings.ts';

/** Interval at which archives that were given up are looked for. */
const LOOK_MS = 10 * 60_000;

/** The room of archives: files with everything about the finished faxes of a past year. */
export function createArchives(
  parts: Omit<ArchivesParts, 'timeZone' | 'workDirectory'> & {
    readonly settings: SettingsService;
    readonly dataFolder: string;
  },
): Room {
  const logger = parts.logger.room('archives');
  const service = createArchivesService({
    ...parts,
    logger,
    workDirectory: join(parts.dataFolder, 'work'),
    timeZone: () => parts.settings.get('TIME_ZONE'),
  });
  const removeAbandoned = () =>
    service.removals
      .removeAbandoned()
      .catch((error: unknown) => logger.warn({ error }, 'archives that were given up were not removed'));
  let timer: NodeJS.Timeout | undefined;
  return defineRoom({
    name: 'archives',
    served: archivesServedRoutes(service),
    jobs: service.removals.jobs,
    settings: { names: ARCHIVES_SETTINGS, changed: async () => undefined },
    async start() {
      await service.removals.start();
      timer = setInterval(() => void removeAbandoned(), LOOK_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await service.removals.stop();
    },
    catchUp: removeAbandoned,
  });
}
