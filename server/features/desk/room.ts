import type { JobDefinition } from '../../jobs/define-job.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { defineDraftCleanup } from './cleanup.ts';
import type { DeskParts } from './parts.ts';
import { deskServedRoutes } from './routes.ts';
import { createDeskService, type DeskService } from './service.ts';
import { DESK_SETTINGS, deskSettings } from './settings.ts';

export { DRAFT_DOCUMENTS } from './stored-documents.ts';

interface DeskRoom extends Room {
  readonly service: DeskService;
}

/** The room of one person's desk: saved drafts, phrases and defaults, which nobody else reads. */
export function createDesk(
  given: Omit<DeskParts, 'settings'> & { readonly settings: SettingsService },
): DeskRoom {
  const parts = { ...given, logger: given.logger.room('desk'), settings: deskSettings(given.settings) };
  const cleanup = defineDraftCleanup(parts);
  const room = defineRoom({
    name: 'desk',
    served: deskServedRoutes(parts),
    jobs: [cleanup.definition as unknown as JobDefinition<never>],
    settings: { names: DESK_SETTINGS, changed: () => cleanup.plan() },
    start: () => cleanup.plan(),
  });
  return { ...room, service: createDeskService(parts) };
}
