import type { Storage } from '../../adapters/storage/port.ts';
import type { Database } from '../../db/database.ts';
import type { Documents } from '../../documents/documents.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { SecurityAudit } from '../audit/service.ts';

/** The settings this room reads, as values in force now. */
interface DeskSettings {
  /** Days for which saved drafts are kept; 0 keeps them. */
  draftDays(): number;
  cleanupMinutes(): number;
  /** False while every fax has the name of the office in its header line. */
  headerPerPerson(): boolean;
}

export interface DeskParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly storage: Storage;
  readonly documents: Documents;
  readonly audit: SecurityAudit;
  readonly queue: Queue;
  readonly logger: Logger;
  readonly settings: DeskSettings;
}
