import { join } from 'node:path';
import { LINE_BACKEND } from '../../../shared/backends.ts';
import { createEventBus } from '../../platform/events.ts';
import type { DocumentSource } from '../inbound/port.ts';
import type { CallLog } from '../outbound/port.ts';
import { announcedEvents, type Change, defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { HandOverParts } from './hand-over/parts.ts';
import { createHandOverProblems } from './hand-over/problems.ts';
import { takeImage } from './hand-over/take-image.ts';
import type { CallEvents, TelephonyParts } from './parts.ts';
import { telephonyServedRoutes } from './routes.ts';
import { createTelephonyService, type TelephonyService } from './service.ts';
import { TELEPHONY_SETTINGS, telephonySettings } from './settings.ts';

interface TelephonyRoomParts extends Omit<TelephonyParts, 'settings' | 'workDirectory' | 'events'> {
  readonly settings: SettingsService;
}

export interface TelephonyRoom extends Room {
  /** The documents of the faxes that the telephone engine received. */
  readonly source: DocumentSource;
  /** Log of the calls over the phone line. */
  readonly callLog: CallLog;
  readonly service: Pick<TelephonyService, 'archiving'>;
}

/** The room of the telephone engine. */
export function createTelephony(given: TelephonyRoomParts): TelephonyRoom {
  const logger = given.logger.room('telephony');
  const events = createEventBus<CallEvents>((error) => logger.error({ error }, 'a listener failed'));
  const parts: HandOverParts = {
    ...given,
    logger,
    events,
    problems: createHandOverProblems(given.clock),
    settings: telephonySettings(given.settings),
    workDirectory: join(given.dataFolder, 'work'),
  };
  const service = createTelephonyService(parts);
  // An engine that was set up by hand shows only in what it hands over.
  let isHandedOver = false;
  const room = defineRoom({
    name: 'telephony',
    served: telephonyServedRoutes(service),
    jobs: service.jobs,
    events: [
      announcedEvents(
        'call.changed',
        (listener: (call: CallEvents['call.changed']) => void) => events.on('call.changed', listener),
        changeOf,
      ),
    ],
    settings: { names: TELEPHONY_SETTINGS, changed: () => service.plan() },
    async start() {
      await service.start();
      isHandedOver = await service.hasReceived();
    },
    warnings: async () => service.warnings(),
  });
  const source: DocumentSource = {
    backend: LINE_BACKEND,
    name: 'Telephone engine',
    take(fax) {
      isHandedOver = true;
      return takeImage(parts, fax);
    },
    receives: () => isHandedOver || parts.settings.lineAccount() !== null,
  };
  return { ...room, source, callLog: service.callLog, service };
}

function changeOf(data: CallEvents['call.changed']): Change {
  const { id, version } = data;
  return {
    id,
    version,
    event: { kind: 'call.changed', data, mayReceive: (caller) => caller.holds('providers:read') },
  };
}
