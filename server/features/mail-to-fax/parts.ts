import type { MailFolders } from '../../adapters/mail/folder-port.ts';
import type { MailReader } from '../../adapters/mail/reading-port.ts';
import type { Database } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { WorkPermit } from '../../jobs/work-permit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Locality } from '../../platform/local-time.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { AccessService } from '../access/service.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { IntakeService } from '../intake/service.ts';
import type { OutboundService, SentOutcome } from '../outbound/service.ts';

/** The settings this room reads, as values in force now. */
export interface MailToFaxSettings {
  /** The mailbox that is read; null while none is set. */
  server(): {
    readonly host: string;
    readonly port: number;
    readonly security: 'starttls' | 'tls' | 'none';
    readonly username: string;
    readonly password: string;
    readonly folder: string;
  } | null;
  /** Addresses of the mailbox, in lower case; empty while they are not known. */
  addresses(): readonly string[];
  maxMessageBytes(): number;
  /** Template of the page before the attachments; null for none. */
  cover(): string | null;
  /** Server whose Authentication-Results are trusted; null for none. */
  trustedServer(): string | null;
  /** The name of the e-mail connector that sends replies; null for no replies. */
  replyConnector(): string | null;
  locality(): Locality;
  country(): string;
}

export interface MailToFaxParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly permit: Pick<WorkPermit, 'isHeld'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seal: Seal;
  readonly audit: SecurityAudit;
  readonly folders: MailFolders;
  readonly reader: MailReader;
  readonly settings: MailToFaxSettings;
  readonly access: Pick<AccessService, 'callerFor' | 'findPrincipal' | 'effectiveGrants' | 'possibleGrants'>;
  readonly outbound: Pick<OutboundService, 'send'>;
  readonly sentFaxes: {
    /** Returns the outcomes by the id of each fax; for one that was tried again, that of the newest try. */
    outcomesOf(ids: readonly string[]): Promise<ReadonlyMap<string, SentOutcome>>;
  };
  readonly mail: Pick<IntakeService, 'handOver' | 'connectors'>;
  /** Folder for files on their way; emptied at start. */
  readonly workDirectory: string;
}
