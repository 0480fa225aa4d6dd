import type { ConsoleEventKind } from '../../../shared/api/console-events.ts';
import type { GuardAction, GuardCheck } from '../../../shared/guard.ts';
import type { Storage } from '../../adapters/storage/port.ts';
import type { Database } from '../../db/database.ts';
import type { Documents } from '../../documents/documents.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { WeekHours } from '../../platform/local-hours.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import type { NoteDocumentRead } from '../access/service.ts';
import type { AuditTrail } from '../audit/service.ts';
import type { NumberLookup } from '../contacts/service.ts';
import type { CoverPages } from '../covers/service.ts';
import type { DeskService } from '../desk/service.ts';
import type { LegalHolds } from '../holds/service.ts';
import type { CostBook, ReportProblems, SpendingGate } from '../routing/service.ts';
import type {
  AnswerListener,
  BroadcastListener,
  CallLog,
  PrintedDocuments,
  ReceivedFaxes,
  StateListener,
  Transports,
} from './port.ts';
import type { Progress } from './progress.ts';
import type { SentFaxAccess } from './types.ts';

/** The settings this room reads, as values in force now. */
export interface OutboundSettings {
  sendingDisabled(): boolean;
  /** Maximum automatic new faxes to a busy or unanswered number. */
  automaticTries(): number;
  /** Simultaneous calls to one number on lines of our own. */
  callsPerNumber(): number;
  country(): string;
  organization(): string | null;
  ownNumber(): string | null;
  timeZone(): string | null;
  /** Public address where providers reach the gateway, without a trailing slash; null while there is none. */
  publicUrl(): string | null;
  linkMinutes(): number;
  maxFileBytes(): number;
  /** Effects of what the wrong-number guard finds. */
  guard(): Readonly<Record<GuardCheck, GuardAction>>;
  artifactDays(): number;
  cleanupMinutes(): number;
  /** Hours in which calls are cheap, by the clocks of the installation; none if they are not set. */
  cheapHours(): readonly WeekHours[];
  /** Word of the office for the reference of a fax. */
  referenceLabel(): string;
  configuration(): { revisionId: string; generation: number };
}

/** Events for consoles: IDs and versions only, with the fields that decide who may receive them. */
export type FaxEvents = Record<
  ConsoleEventKind & 'fax.changed',
  { readonly id: string; readonly version: number } & SentFaxAccess
>;

/** Everything the room is given, by name. Functions take those that they use. */
export interface OutboundParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seal: Seal;
  readonly storage: Storage;
  readonly documents: Documents;
  readonly transports: Transports;
  readonly settings: OutboundSettings;
  readonly audit: AuditTrail;
  readonly noteDocumentRead: NoteDocumentRead;
  /** Contact of a number, and how faxes to it are sent. */
  readonly contacts: NumberLookup;
  /** Cover pages of faxes. */
  readonly covers: CoverPages;
  /** Signatures and stamps of people. */
  readonly desk: Pick<DeskService, 'signatures' | 'headerNameOf'>;
  /** The open legal holds, whose faxes are kept. */
  readonly holds: LegalHolds;
  /** Counts callbacks that are refused. */
  readonly reportProblems: ReportProblems;
  readonly progress: Progress;
  /** Costs of attempts. */
  readonly costs: CostBook;
  /** Checks against spending limits. */
  readonly spending: SpendingGate;
  /** The log of the calls over our own line. */
  readonly calls: CallLog;
  /** Received faxes. */
  readonly received: ReceivedFaxes;
  /** Listener for answers to received faxes. */
  readonly answers: AnswerListener;
  /** Documents that were printed to Faxdesk. */
  readonly printed: PrintedDocuments;
  /** Listener for faxes of broadcasts. */
  readonly broadcasts: BroadcastListener;
  /** Listener for outcomes. */
  readonly states: StateListener;
  /** Folder for files on their way; emptied at start. */
  readonly workDirectory: string;
}
