import type { Storage } from '../../adapters/storage/port.ts';
import type { Database } from '../../db/database.ts';
import type { Documents } from '../../documents/documents.ts';
import type { Connections } from '../../http/listening.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { KeyedHash } from '../../platform/hash.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { AccessService } from '../access/service.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { HttpsService } from '../https/service.ts';
import type { PrintedNotifier } from './notifier.ts';
import type { IncomingFile } from './receive.ts';
import type { PrintingSettings } from './settings.ts';

export interface PrintingParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly storage: Storage;
  readonly documents: Documents;
  readonly audit: SecurityAudit;
  readonly access: Pick<AccessService, 'holders' | 'callerFor' | 'findPrincipal'>;
  readonly queue: Queue;
  readonly logger: Logger;
  readonly connections: Connections;
  readonly settings: PrintingSettings;
  readonly notifier: PrintedNotifier;
  /** Creates a file for a document that arrives. */
  readonly newFile: () => IncomingFile;
  /** Resolves to false while the disk for documents that arrive is nearly full. */
  readonly hasRoom: () => Promise<boolean>;
  /** Largest document in bytes that is kept. */
  readonly maxFileBytes: () => number;
  /** Address of the console, such as `http://127.0.0.1:8080/admin/ui/`. */
  readonly consoleUrl: () => string;
  /** Name of the office; null where it is not set. */
  readonly organization: () => string | null;
  /** Keyed hash of a print password. */
  readonly hashPassword: KeyedHash;
  /** Certificate and key of the gateway, its addresses for other computers, best first, and its announcement there. */
  readonly https: Pick<
    HttpsService,
    'identity' | 'addresses' | 'announcePrinter' | 'announcedPrinter' | 'settled'
  >;
  readonly release: string;
}
