import type { Peers } from '../../adapters/peers/port.ts';
import type { Database } from '../../db/database.ts';
import type { DocumentContent } from '../../documents/documents.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Locality } from '../../platform/local-time.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { AccessService } from '../access/service.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { InboundService } from '../inbound/service.ts';
import type { OutboundService } from '../outbound/service.ts';
import type { Identity } from './identity.ts';

/** The settings this room reads, as values in force now. */
export interface DirectSettings {
  /** False: none of its addresses exists. */
  enabled(): boolean;
  organization(): string | null;
  /** E.164. */
  faxNumber(): string | null;
  /** Public base address of this gateway, without a final slash. */
  endpoint(): string | null;
  /** Allows partners in private networks and on this computer. */
  allowsPrivate(): boolean;
  /** For dates that people read. */
  locality(): Locality;
}

/** A document on its way in: in memory while it is small, else in a file, sealed where files are. */
export interface ArrivingFile {
  /** Resolves when the next chunk may come. */
  add(chunk: Buffer): Promise<void>;
  /** The last chunk has come. */
  end(): Promise<void>;
  close(): Promise<void>;
  readonly content: DocumentContent;
  /** Removes the file where nobody moved it away. */
  discard(): Promise<void>;
}

export interface DirectParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seal: Seal;
  readonly audit: SecurityAudit;
  readonly settings: DirectSettings;
  readonly identity: Identity;
  /** Largest document that is taken, in bytes. */
  readonly maxFileBytes: () => number;
  /** Requests to partners. */
  readonly peers: Peers;
  /** HMAC-SHA256 with a key made of the data key. */
  readonly hashCode: (code: string) => string;
  readonly access: AccessService;
  readonly outbound: OutboundService;
  readonly inbound: InboundService;
  /** Creates a file for a document that arrives. */
  readonly newFile: () => ArrivingFile;
}
