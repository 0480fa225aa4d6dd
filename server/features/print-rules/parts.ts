import type { ConsoleEventKind } from '../../../shared/api/console-events.ts';
import type { Storage } from '../../adapters/storage/port.ts';
import type { Database } from '../../db/database.ts';
import type { Documents } from '../../documents/documents.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { WorkPermit } from '../../jobs/work-permit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EventBus } from '../../platform/events.ts';
import type { Logger } from '../../platform/logger.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { NumberLookup } from '../contacts/service.ts';
import type { InboundService } from '../inbound/service.ts';
import type { Printers } from './printer-port.ts';
import type { PrintoutRow } from './types.ts';

/** Events for consoles, with the fax whose readers receive them. */
export type PrintEvents = Record<
  ConsoleEventKind & 'printout.changed',
  Pick<PrintoutRow, 'id' | 'version' | 'fax_id' | 'mailbox_id'>
>;

export interface PrintParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: SecurityAudit;
  readonly events: EventBus<PrintEvents>;
  readonly permit: Pick<WorkPermit, 'isHeld'>;
  readonly printers: Printers;
  readonly documents: Pick<Documents, 'printRaster'>;
  readonly storage: Pick<Storage, 'withFile'>;
  readonly inbound: Pick<InboundService, 'recorded' | 'openStored'>;
  readonly contacts: Pick<NumberLookup, 'namesOf'>;
  /** Returns the time zone of the office (IANA); null for that of this computer. */
  timeZone(): string | null;
}
