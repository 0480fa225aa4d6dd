import { createEventBus } from '../../platform/events.ts';
import type { FiledHandler } from '../inbound/port.ts';
import { type Change, defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { itemsPerDocument } from './create-items.ts';
import type { IntakeEvents, IntakeParts } from './parts.ts';
import { intakeServedRoutes } from './routes.ts';
import { createIntakeService, type IntakeService } from './service.ts';
import { INTAKE_SETTINGS, intakeSettings } from './settings.ts';

export { settleRestoredMail } from './offline.ts';

interface IntakeRoomParts extends Omit<IntakeParts, 'settings' | 'events'> {
  readonly settings: SettingsService;
}

export interface IntakeRoom extends Room {
  readonly service: IntakeService;
  /** Queues the e-mails of a document in the transaction that files it. */
  readonly items: FiledHandler;
}

/** The room of received faxes by e-mail. */
export function createIntake(given: IntakeRoomParts): IntakeRoom {
  const logger = given.logger.room('intake');
  const events = createEventBus<IntakeEvents>((error) => logger.error({ error }, 'a listener failed'));
  const parts: IntakeParts = { ...given, logger, events, settings: intakeSettings(given.settings) };
  const service = createIntakeService(parts);
  const room = defineRoom({
    name: 'intake',
    served: intakeServedRoutes(service, parts.clock),
    jobs: service.jobs,
    events: [
      {
        kind: 'intake.changed',
        listen: (listener) => events.on('intake.changed', (item) => listener(changeOf(item))),
      },
    ],
    settings: { names: INTAKE_SETTINGS, changed: async () => undefined },
    warnings: () => service.warnings(),
  });
  return { ...room, service, items: itemsPerDocument(parts) };
}

function changeOf(data: IntakeEvents['intake.changed']): Change {
  const { id, version } = data;
  return {
    id,
    version,
    event: { kind: 'intake.changed', data, mayReceive: (caller) => caller.holds('mailboxes:read') },
  };
}
