import type { Database } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { WorkPermit } from '../../jobs/work-permit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Locality } from '../../platform/local-time.ts';
import type { Logger } from '../../platform/logger.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { InboundService } from '../inbound/service.ts';
import type { IntakeService } from '../intake/service.ts';
import type { PrintRulesService } from '../print-rules/service.ts';
import type { WorkService } from '../work/service.ts';
import type { SummarySources } from './port.ts';

/** The settings this room reads, as values in force now. */
export interface SummarySettings {
  /** Empty for no summary. */
  recipients(): readonly string[];
  /** The hour of the day, 0 to 23. */
  hour(): number;
  /** The name of an e-mail connector; null while there is none. */
  connector(): string | null;
  locality(): Locality;
}

export interface SummaryParts extends SummarySources {
  readonly db: Database;
  readonly queue: Queue;
  readonly permit: Pick<WorkPermit, 'isHeld'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: SecurityAudit;
  readonly settings: SummarySettings;
  readonly mail: Pick<IntakeService, 'handOver' | 'counts'>;
  readonly printRules: Pick<PrintRulesService, 'counts'>;
  readonly inbound: Pick<InboundService, 'incomplete' | 'countJunk' | 'countDirectWithoutItem'>;
  readonly work: Pick<WorkService, 'statistics'>;
}
