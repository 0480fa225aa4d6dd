import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { NumberCheck } from './port.ts';
import { noticesServedRoutes } from './routes.ts';
import { createNoticesService, type NoticesService } from './service.ts';

/** The room of notices: which deprecated parts are still used, and by whom. */
export function createNotices(given: {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: SettingsService;
  /** Returns the checks of partners' numbers that end soon. */
  readonly numberChecks: () => Promise<readonly NumberCheck[]>;
}): Room & { readonly service: NoticesService } {
  const service = createNoticesService({ ...given, logger: given.logger.room('notices') });
  const room = defineRoom({
    name: 'notices',
    served: noticesServedRoutes(service, {
      ignoredSettings: () => given.settings.ignoredNames(),
      numberChecks: given.numberChecks,
    }),
    stop: () => service.settled(),
  });
  return { ...room, service };
}
