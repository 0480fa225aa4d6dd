import type { JobDefinition } from '../../jobs/define-job.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { defineDraftCleanup } from './cleanup.ts';
import type { DeskParts } from './parts.ts';
import { deskServedRoutes } from './routes.ts';
import { DESK_SETTINGS, deskSettings } from './settings.ts';

export { DRAFT_DOCUMENTS } from './stored-documents.ts';

/** The room of one person's desk: saved drafts, phrases and defaults, which nobody else reads. */
export function createDesk(
  given: Omit<DeskParts, 'settings'> & { readonly settings: SettingsService },
): Room {
  const parts = { ...given, logger: given.logger.room('desk'), settings: deskSettings(given.settings) };
  const cleanup = defineDraftCleanup(parts);
  return defineRoom({
    name: 'desk',
    served: deskServedRoutes(parts),
    jobs: [cleanup.definition as unknown as JobDefinition<never>],
    settings: { names: DESK_SETTINGS, changed: () => cleanup.plan() },
    start: () => cleanup.plan(),
  });
}
