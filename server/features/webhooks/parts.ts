import type { WebhookSender } from '../../adapters/webhooks/port.ts';
import type { Database } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { AccessService } from '../access/service.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { InboundService } from '../inbound/service.ts';
import type { OutboundService } from '../outbound/service.ts';
import type { WorkService } from '../work/service.ts';

/** The settings this room reads, as values in force now. */
export interface WebhookSettings {
  /** False: no events are recorded, and nothing is sent. */
  enabled(): boolean;
  /** Allows private addresses. */
  allowsPrivate(): boolean;
}

export interface WebhookParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seal: Seal;
  readonly audit: SecurityAudit;
  readonly settings: WebhookSettings;
  readonly sender: WebhookSender;
  readonly access: Pick<AccessService, 'callerFor' | 'findPrincipal' | 'possibleGrants'>;
  readonly outbound: Pick<OutboundService, 'mayRead'>;
  readonly inbound: Pick<InboundService, 'mayReceiveEvents'>;
  readonly work: Pick<WorkService, 'mayReceiveEvents'>;
}
