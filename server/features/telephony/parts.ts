import type { Database } from '../../db/database.ts';
import type { Documents } from '../../documents/documents.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { InboundService } from '../inbound/service.ts';

/** The settings this room reads, as values in force now. */
export interface TelephonySettings {
  receives(): boolean;
  country(): string;
  ownNumber(): string | null;
  /** By which the telephone engine proves itself; null until one is saved. */
  handOverSecret(): string | null;
  /** Saves it unless another process of the installation has saved one meanwhile. */
  saveHandOverSecret(secret: string): Promise<void>;
}

export interface TelephonyParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly documents: Documents;
  readonly audit: SecurityAudit;
  readonly inbound: InboundService;
  readonly settings: TelephonySettings;
  /** Absolute; the telephone engine leaves its images below it. */
  readonly dataFolder: string;
  /** Folder for files on their way; emptied at start. */
  readonly workDirectory: string;
}
