import type { ConsoleEventKind } from '../../../shared/api/console-events.ts';
import type { Database } from '../../db/database.ts';
import type { Documents } from '../../documents/documents.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EventBus } from '../../platform/events.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { NumberLookup } from '../contacts/service.ts';
import type { LegalHolds } from '../holds/service.ts';
import type { InboundService } from '../inbound/service.ts';
import type { OutboundService } from '../outbound/service.ts';

/** The settings this room reads, as values in force now. */
export interface TelephonySettings {
  receives(): boolean;
  country(): string;
  ownNumber(): string | null;
  /** Secret by which the telephone engine authenticates; null until one is saved. */
  handOverSecret(): string | null;
  /** Settings of the phone line, by name; parsed with `LINE_SETTINGS`. */
  line(): Readonly<Record<string, unknown>>;
  /** Host of the telephone engine. */
  engineHost(): string;
  /** The account of the trunk; null while the trunk is not set up. */
  lineAccount(): string | null;
  /** Days for which calls stay in the log; 0 for always. */
  callLogDays(): number;
  cleanupMinutes(): number;
  /** Saves it unless another process of the installation has saved one meanwhile. */
  saveHandOverSecret(secret: string): Promise<void>;
}

/** Events for consoles. */
export type CallEvents = Record<
  ConsoleEventKind & 'call.changed',
  { readonly id: string; readonly version: number }
>;

export interface TelephonyParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly documents: Documents;
  readonly audit: SecurityAudit;
  readonly inbound: InboundService;
  readonly sentFaxes: { readonly service: Pick<OutboundService, 'heldAmong'> };
  /** The open legal holds: the calls of their faxes stay in the log. */
  readonly holds: Pick<LegalHolds, 'open'>;
  readonly contacts: Pick<NumberLookup, 'namesOf'>;
  readonly events: EventBus<CallEvents>;
  readonly settings: TelephonySettings;
  readonly seal: Pick<Seal, 'problem'>;
  /** Absolute; the telephone engine leaves its images below it. */
  readonly dataFolder: string;
  /** Host and port that the gateway listens on. */
  readonly listening: () => { readonly host: string; readonly port: number };
  /** Folder for files on their way; emptied at start. */
  readonly workDirectory: string;
}
