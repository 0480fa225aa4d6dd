import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { SummaryParts } from './parts.ts';
import { summaryServedRoutes } from './routes.ts';
import { createSummaryService } from './service.ts';
import { SUMMARY_SETTINGS, summarySettings } from './settings.ts';

export { settleRestoredSummary } from './offline.ts';

interface SummaryRoomParts extends Omit<SummaryParts, 'settings'> {
  readonly settings: SettingsService;
}

/** The room of the daily summary by e-mail. */
export function createSummary(given: SummaryRoomParts): Room {
  const parts = {
    ...given,
    logger: given.logger.room('summary'),
    settings: summarySettings(given.settings),
  };
  const service = createSummaryService(parts);
  return defineRoom({
    name: 'summary',
    served: summaryServedRoutes(service),
    jobs: service.jobs,
    settings: { names: SUMMARY_SETTINGS, changed: async () => undefined },
    start: () => service.plan(),
    warnings: () => service.warnings(),
  });
}
