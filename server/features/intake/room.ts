import type { NewMinuteLimit } from '../../http/rate-limit.ts';
import { createEventBus } from '../../platform/events.ts';
import type { FiledHandler } from '../inbound/port.ts';
import { announcedEvents, type Change, defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { itemsPerDocument } from './create-items.ts';
import type { IntakeEvents, IntakeParts } from './parts.ts';
import { intakeServedRoutes } from './routes.ts';
import { createIntakeService, type IntakeService } from './service.ts';
import { INTAKE_SETTINGS, intakeSettings } from './settings.ts';

export { settleRestoredMail } from './offline.ts';

interface IntakeRoomParts extends Omit<IntakeParts, 'settings' | 'events'> {
  readonly minuteLimit: NewMinuteLimit;
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
    served: intakeServedRoutes(service, given.minuteLimit),
    jobs: service.jobs,
    events: [
      announcedEvents(
        'intake.changed',
        (listener: (item: IntakeEvents['intake.changed']) => void) => events.on('intake.changed', listener),
        changeOf,
      ),
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
