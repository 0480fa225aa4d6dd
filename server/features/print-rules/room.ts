import type { NewMinuteLimit } from '../../http/rate-limit.ts';
import { createEventBus } from '../../platform/events.ts';
import type { Caller } from '../access/service.ts';
import type { FiledHandler } from '../inbound/port.ts';
import { announcedEvents, type Change, defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { printoutsPerDocument } from './create-printouts.ts';
import type { PrintEvents, PrintParts } from './parts.ts';
import { printRulesServedRoutes } from './routes.ts';
import { createPrintRulesService, type PrintRulesService } from './service.ts';
import { PRINT_RULES_SETTINGS } from './settings.ts';
import { maySeePrintout } from './visibility.ts';

export { settleRestoredPrints } from './offline.ts';

interface PrintRulesRoomParts extends Omit<PrintParts, 'timeZone' | 'events'> {
  readonly minuteLimit: NewMinuteLimit;
  readonly settings: SettingsService;
}

export interface PrintRulesRoom extends Room {
  readonly service: PrintRulesService;
  /** Creates the printouts of a document in the transaction that files it. */
  readonly printouts: FiledHandler;
}

/** The room of received faxes on paper. */
export function createPrintRules(given: PrintRulesRoomParts): PrintRulesRoom {
  const logger = given.logger.room('print-rules');
  const events = createEventBus<PrintEvents>((error) => logger.error({ error }, 'a listener failed'));
  const parts: PrintParts = { ...given, logger, events, timeZone: () => given.settings.get('TIME_ZONE') };
  const service = createPrintRulesService(parts);
  const room = defineRoom({
    name: 'print-rules',
    served: printRulesServedRoutes(service, given.minuteLimit),
    jobs: service.jobs,
    events: [
      announcedEvents(
        'printout.changed',
        (listener: (printout: PrintEvents['printout.changed']) => void) =>
          events.on('printout.changed', listener),
        changeOf,
      ),
    ],
    settings: { names: PRINT_RULES_SETTINGS, changed: async () => undefined },
    warnings: () => service.warnings(),
  });
  return { ...room, service, printouts: printoutsPerDocument(parts) };
}

function changeOf(data: PrintEvents['printout.changed']): Change {
  const { id, version } = data;
  const mayReceive = (caller: Caller) => maySeePrintout(caller, data);
  return { id, version, event: { kind: 'printout.changed', data: { id, version }, mayReceive } };
}
