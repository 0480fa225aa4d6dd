import type { Storage } from '../../adapters/storage/port.ts';
import type { Database } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { LegalHolds } from '../holds/service.ts';
import type { InboundService } from '../inbound/service.ts';
import type { IntakeService } from '../intake/service.ts';
import type { OutboundService } from '../outbound/service.ts';
import type { PrintRulesService } from '../print-rules/service.ts';
import type { SigningService } from '../signing/service.ts';
import type { TelephonyService } from '../telephony/service.ts';
import type { WorkService } from '../work/service.ts';

export interface ArchivesParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: SecurityAudit;
  readonly outbound: Pick<
    OutboundService,
    'get' | 'list' | 'openDocument' | 'openOriginal' | 'history' | 'archiving'
  >;
  readonly inbound: Pick<
    InboundService,
    'get' | 'list' | 'openDocument' | 'openOriginal' | 'evidence' | 'archiving'
  >;
  readonly intake: Pick<IntakeService, 'deliveriesOf' | 'undeliveredAmong' | 'removeOf'>;
  readonly printRules: Pick<PrintRulesService, 'printoutsOf' | 'unprintedAmong' | 'removeOf'>;
  readonly telephony: Pick<TelephonyService, 'archiving'>;
  readonly work: Pick<WorkService, 'get' | 'history' | 'archiving'>;
  readonly signing: Pick<SigningService, 'signer' | 'keys'>;
  readonly holds: Pick<LegalHolds, 'lock'>;
  readonly queue: Queue;
  readonly storage: Pick<Storage, 'remove'>;
  /** Folder for files on their way; emptied at start. */
  readonly workDirectory: string;
  /** Null for that of this computer. */
  readonly timeZone: () => string | null;
}
