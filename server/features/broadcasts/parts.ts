import type { Storage } from '../../adapters/storage/port.ts';
import type { Database } from '../../db/database.ts';
import type { Documents, PrintedLine } from '../../documents/documents.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { AccessService } from '../access/service.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { OutboundService, SentOutcome } from '../outbound/service.ts';
import type { BroadcastNotifier } from './notifier.ts';

export interface BroadcastsParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly contacts: Pick<ContactsService, 'list' | 'namesOf'>;
  readonly access: Pick<AccessService, 'callerFor'>;
  readonly outbound: OutboundService;
  /** Returns the outcome of each fax by ID; that of the newest one where the number was tried again. */
  readonly outcomesOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, SentOutcome>>;
  readonly documents: Documents;
  readonly notifier: BroadcastNotifier;
  /** Folder for files on their way. */
  readonly workDirectory: string;
  /** Country and time zone for times in reports. */
  readonly where: () => { readonly country: string; readonly timeZone: string | null };
  /** Line that every broadcast carries; null for none. */
  readonly optOutLine: () => PrintedLine | null;
  /** ISO 3166 alpha-2: whose national numbers are typed. */
  readonly country: () => string;
}
