import type { ConsoleEventKind } from '../../../shared/api/console-events.ts';
import type { Database } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EventBus } from '../../platform/events.ts';
import type { Locality } from '../../platform/local-time.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { AccessService, NoteDocumentRead } from '../access/service.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { NumberLookup } from '../contacts/service.ts';
import type { InboundService } from '../inbound/service.ts';
import type { IntakeService } from '../intake/service.ts';
import type { PrintRulesService } from '../print-rules/service.ts';
import type { SigningService } from '../signing/service.ts';
import type { ImportRecords, OverdueListener } from './port.ts';
import type { ItemRow } from './types.ts';

/** The settings this room reads, as values in force now. */
export interface WorkSettings {
  /** 0 for no target. */
  acknowledgeHours(): number;
  /** Returns true when documents that partners deliver directly get an item as well. */
  directItems(): boolean;
  /** Sentences offered for the notes of finished items. */
  notes(): readonly string[];
  /** Format and zone of dates and times. */
  locality(): Locality;
}

/** Fields of an item that decide who may see it. */
export type ItemAccess = Pick<ItemRow, 'inbound_fax_id' | 'mailbox_id'>;

/** Events for consoles, with ids and versions only, and the values that decide who may receive them. */
export type WorkEvents = Record<
  ConsoleEventKind & 'work.changed',
  Pick<ItemRow, 'id' | 'version'> & ItemAccess
>;

export interface WorkParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seal: Seal;
  readonly audit: SecurityAudit;
  readonly access: Pick<AccessService, 'holders'>;
  readonly events: EventBus<WorkEvents>;
  readonly settings: WorkSettings;
  readonly signing: Pick<SigningService, 'signer'>;
  readonly inbound: Pick<
    InboundService,
    'recorded' | 'openStored' | 'recoveredOriginal' | 'incomplete' | 'about' | 'junkAmong' | 'undoJunk'
  >;
  readonly contacts: Pick<NumberLookup, 'namesOf' | 'findNumbers'>;
  readonly mail: Pick<IntakeService, 'deliveriesOf'>;
  readonly prints: Pick<PrintRulesService, 'printoutsOf'>;
  readonly imports: ImportRecords;
  readonly overdue: OverdueListener;
  readonly noteDocumentRead: NoteDocumentRead;
}
