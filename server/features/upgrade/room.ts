import { defineRoom, type Room } from '../room.ts';
import { upgradeServedRoutes } from './routes.ts';
import { createUpgradeService, type UpgradeServiceParts } from './service.ts';

/** The room of the way from an earlier release. */
export function createUpgrade(given: UpgradeServiceParts): Room {
  const service = createUpgradeService({ ...given, logger: given.logger.room('upgrade') });
  return defineRoom({
    name: 'upgrade',
    served: upgradeServedRoutes(service),
    warnings: () => service.warnings(),
    stop: () => service.settled(),
  });
}
