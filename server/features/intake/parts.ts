import type { ConsoleEventKind } from '../../../shared/api/console-events.ts';
import type { Mailer, RenewToken } from '../../adapters/mail/port.ts';
import type { Database } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { WorkPermit } from '../../jobs/work-permit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EventBus } from '../../platform/events.ts';
import type { Locality } from '../../platform/local-time.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { NumberLookup } from '../contacts/service.ts';
import type { InboundService } from '../inbound/service.ts';
import type { ItemRow } from './types.ts';

/** The settings this room reads, as values in force now. */
export interface IntakeSettings {
  country(): string;
  locality(): Locality;
  /** Without a trailing slash; null while there is none. */
  publicUrl(): string | null;
  maxAttachmentBytes(): number;
  linksLarge(): boolean;
  /** True when faxes imported from another system are sent as well. */
  sendsImported(): boolean;
  allowsUnencrypted(): boolean;
}

/** Events for consoles, with ids and versions only. */
export type IntakeEvents = Record<ConsoleEventKind & 'intake.changed', Pick<ItemRow, 'id' | 'version'>>;

export interface IntakeParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seal: Seal;
  readonly audit: SecurityAudit;
  readonly events: EventBus<IntakeEvents>;
  readonly mailer: Mailer;
  readonly permit: Pick<WorkPermit, 'isHeld'>;
  readonly renewToken: RenewToken;
  readonly settings: IntakeSettings;
  readonly inbound: Pick<
    InboundService,
    'recorded' | 'openStored' | 'storedOriginal' | 'originalAwaitedUntil'
  >;
  readonly contacts: Pick<NumberLookup, 'namesOf' | 'nameOf'>;
}
