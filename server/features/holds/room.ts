import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { HoldsParts } from './parts.ts';
import { holdsServedRoutes } from './routes.ts';
import { createHoldsService, type HoldsService } from './service.ts';
import { HOLDS_SETTINGS } from './settings.ts';

interface HoldsRoom extends Room {
  readonly service: HoldsService;
}

/** The room of legal holds: faxes that are kept for a legal matter. */
export function createHolds(
  parts: Omit<HoldsParts, 'country'> & { readonly settings: SettingsService },
): HoldsRoom {
  const service = createHoldsService({ ...parts, country: () => parts.settings.get('FAX_DEFAULT_COUNTRY') });
  const room = defineRoom({
    name: 'holds',
    served: holdsServedRoutes(service),
    settings: { names: HOLDS_SETTINGS, changed: async () => undefined },
  });
  return { ...room, service };
}
