import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { noticesServedRoutes } from './routes.ts';
import { createNoticesService, type NoticesService } from './service.ts';

/** The room of notices: which deprecated parts are still used, and by whom. */
export function createNotices(given: {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: SettingsService;
}): Room & { readonly service: NoticesService } {
  const service = createNoticesService({ ...given, logger: given.logger.room('notices') });
  const room = defineRoom({
    name: 'notices',
    served: noticesServedRoutes(service, () => given.settings.ignoredNames()),
    stop: () => service.settled(),
  });
  return { ...room, service };
}
