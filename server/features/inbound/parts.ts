import type { ConsoleEventKind } from '../../../shared/api/console-events.ts';
import type { Backend } from '../../../shared/backends.ts';
import type { Storage } from '../../adapters/storage/port.ts';
import type { Database } from '../../db/database.ts';
import type { Documents } from '../../documents/documents.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EventBus } from '../../platform/events.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { NoteDocumentRead } from '../access/service.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { NumberLookup } from '../contacts/service.ts';
import type { LegalHolds } from '../holds/service.ts';
import type { ReportProblems } from '../routing/service.ts';
import type { DocumentSource, FiledHandler, Receiver, SentAnswers, WorkItems } from './port.ts';
import type { ReceivingWatch } from './receiving-watch.ts';
import type { ReceivedFaxAccess } from './types.ts';
import type { UnreadIndex } from './unread-index.ts';

/** The settings this room reads, as values in force now. */
export interface InboundSettings {
  enabled(): boolean;
  /** A fax that anybody read is read for all. */
  sharesReading(): boolean;
  /** Documents are looked for in the pages of received faxes. */
  decodesPages(): boolean;
  /** `auto` polls while there is no public address. */
  polling(): 'auto' | 'on' | 'off';
  /** Address at which providers can reach the gateway, without a trailing slash; null while they cannot. */
  publicUrl(): string | null;
  /** The public address as it is set, which a signature may cover. */
  statedUrl(): string | null;
  retentionDays(): number;
  cleanupMinutes(): number;
  listsPerMinute(): number;
  readsPerMinute(): number;
  country(): string;
  /** Null for that of this computer. */
  timeZone(): string | null;
  ownNumber(): string | null;
}

/** Events for consoles, with ids and versions only, and the values that decide who may receive them. */
export type InboundEvents = Record<
  ConsoleEventKind & 'inbound.changed',
  { readonly version: number } & ReceivedFaxAccess
> &
  Record<ConsoleEventKind & 'senders.changed', null>;

export interface InboundParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seal: Seal;
  readonly storage: Storage;
  readonly documents: Documents;
  readonly audit: SecurityAudit;
  readonly noteDocumentRead: NoteDocumentRead;
  readonly contacts: Pick<
    NumberLookup,
    'namesOf' | 'nameOf' | 'isKnown' | 'findNumbers' | 'sharedKeyOf' | 'sharedKeyOfContact'
  >;
  readonly events: EventBus<InboundEvents>;
  /** Receivers by backend. */
  readonly receivers: Readonly<Record<string, Receiver>>;
  /** Sources of documents that do not come from a provider, by backend; complete when the room starts. */
  readonly sources: ReadonlyMap<Backend, DocumentSource>;
  readonly filedHandlers: readonly FiledHandler[];
  /** Called when needed: a higher room keeps them. */
  readonly workItems: () => WorkItems;
  readonly watch: ReceivingWatch;
  readonly reportProblems: ReportProblems;
  /** Sent faxes that answer received ones. Called when needed. */
  readonly answers: () => SentAnswers;
  /** The open legal holds, whose faxes are kept. */
  readonly holds: LegalHolds;
  readonly unreadIndex: UnreadIndex;
  readonly settings: InboundSettings;
  /** Folder for files on their way; emptied at start. */
  readonly workDirectory: string;
}
