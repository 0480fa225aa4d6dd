import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { InboundService } from '../inbound/service.ts';
import type { OutboundService } from '../outbound/service.ts';
import type { SigningService } from '../signing/service.ts';
import type { WorkService } from '../work/service.ts';

export interface ArchivesParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: SecurityAudit;
  readonly outbound: Pick<OutboundService, 'list' | 'document' | 'history'>;
  readonly inbound: Pick<InboundService, 'list' | 'document' | 'evidence'>;
  readonly work: Pick<WorkService, 'get' | 'history'>;
  readonly signing: Pick<SigningService, 'signer'>;
  /** Null for that of this computer. */
  readonly timeZone: () => string | null;
}
