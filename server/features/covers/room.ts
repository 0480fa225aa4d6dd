import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { CoversParts } from './parts.ts';
import { coversServedRoutes } from './routes.ts';
import { type CoversService, createCoversService } from './service.ts';
import { COVERS_SETTINGS, coverSettings } from './settings.ts';

interface CoversRoom extends Room {
  readonly service: CoversService;
}

/** The room of cover pages: templates, and the first page of a fax that is made of one. */
export function createCovers(
  parts: Omit<CoversParts, 'settings'> & { readonly settings: SettingsService },
): CoversRoom {
  const service = createCoversService({ ...parts, settings: coverSettings(parts.settings) });
  const room = defineRoom({
    name: 'covers',
    served: coversServedRoutes(service),
    settings: { names: COVERS_SETTINGS, changed: async () => undefined },
  });
  return { ...room, service };
}
