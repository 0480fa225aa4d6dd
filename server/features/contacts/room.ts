import type { Directories } from '../../adapters/directory/port.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import { createEventBus } from '../../platform/events.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { SecurityAudit } from '../audit/service.ts';
import { announcedEvents, type Change, defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { ContactEvents } from './parts.ts';
import type { KeyListener, NumberMemory, ReceivedMemory, RouteNames } from './port.ts';
import { contactsServedRoutes } from './routes.ts';
import { type ContactsService, createContactsService } from './service.ts';
import { CONTACTS_SETTINGS, contactsSettings } from './settings.ts';
import { maySee } from './visibility.ts';

interface ContactsRoomParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seal: Seal;
  readonly audit: SecurityAudit;
  readonly settings: SettingsService;
  readonly routes: RouteNames;
  readonly directories: Directories;
  /** Outcomes of the faxes to a number; a higher room has them. */
  readonly memory: () => NumberMemory;
  /** Faxes from a number; a higher room has them. */
  readonly received: () => ReceivedMemory;
  /** Notified of new keys; a higher room decodes pages with them. */
  readonly keyListener: () => KeyListener;
}

interface ContactsRoom extends Room {
  readonly service: ContactsService;
}

/** The room of contacts: whose a fax number is, and how faxes to it are sent. */
export function createContacts(parts: ContactsRoomParts): ContactsRoom {
  const { country, directory } = contactsSettings(parts.settings);
  const logger = parts.logger.room('contacts');
  const events = createEventBus<ContactEvents>((error) => logger.error({ error }, 'a listener failed'));
  const service = createContactsService({
    ...parts,
    events,
    country,
    directory,
  });
  const room = defineRoom({
    name: 'contacts',
    served: contactsServedRoutes(service),
    events: [
      announcedEvents(
        'contact.changed',
        (listener: (contact: ContactEvents['contact.changed']) => void) =>
          events.on('contact.changed', listener),
        changeOf,
      ),
    ],
    settings: { names: CONTACTS_SETTINGS, changed: async () => undefined },
  });
  return { ...room, service };
}

function changeOf(data: ContactEvents['contact.changed']): Change {
  const { id, version, owners } = data;
  return {
    id: id ?? 'all',
    version,
    event: {
      kind: 'contact.changed',
      data: { id, version },
      mayReceive: (caller) => owners.some((owner) => maySee(caller, { owner_mailbox_id: owner })),
    },
  };
}
