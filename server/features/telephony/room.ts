import { join } from 'node:path';
import { LINE_BACKEND } from '../../../shared/states.ts';
import type { DocumentSource } from '../inbound/port.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { TelephonyParts } from './parts.ts';
import { telephonyServedRoutes } from './routes.ts';
import { createTelephonyService } from './service.ts';
import { TELEPHONY_SETTINGS, telephonySettings } from './settings.ts';
import { takeImage } from './take-image.ts';

export interface TelephonyRoomParts extends Omit<TelephonyParts, 'settings' | 'workDirectory'> {
  readonly settings: SettingsService;
}

export interface TelephonyRoom extends Room {
  /** The documents of the faxes that the telephone engine received. */
  readonly source: DocumentSource;
}

/** The room of the telephone engine. */
export function createTelephony(given: TelephonyRoomParts): TelephonyRoom {
  const parts: TelephonyParts = {
    ...given,
    logger: given.logger.room('telephony'),
    settings: telephonySettings(given.settings),
    workDirectory: join(given.dataFolder, 'work'),
  };
  const service = createTelephonyService(parts);
  const room = defineRoom({
    name: 'telephony',
    served: telephonyServedRoutes(service),
    jobs: service.jobs,
    settings: { names: TELEPHONY_SETTINGS, changed: () => service.plan() },
    start: () => service.start(),
  });
  const source: DocumentSource = {
    backend: LINE_BACKEND,
    name: 'Telephone engine',
    take: (fax) => takeImage(parts, fax),
  };
  return { ...room, source };
}
