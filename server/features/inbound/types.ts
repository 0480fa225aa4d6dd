import type { INBOUND_CHECKS } from '../../../shared/api/inbound-shapes.ts';
import type { Backend, DIRECT_BACKEND, IMPORT_BACKEND } from '../../../shared/backends.ts';
import type { InboundStatus } from '../../../shared/states/inbound.ts';
import type { WriteTx } from '../../db/database.ts';
import type { InboundEvidenceTable, InboundFaxTable } from '../../db/schema/inbound.ts';
import type { FaxAbout } from '../../platform/fax-about.ts';
import type { Caller } from '../access/service.ts';
import type { ReceivedReport } from './receiving-port.ts';

export type { Scope } from '../access/service.ts';

export type FaxRow = InboundFaxTable;
/** Fields of a received fax that decide who may see it. */
export type ReceivedFaxAccess = Pick<FaxRow, 'id' | 'mailbox_id' | 'test'>;
/** Choice of a list: without test faxes, with them, or test faxes only. */
export type TestFaxes = 'without' | 'with' | 'only';
export type Check = (typeof INBOUND_CHECKS)[number];

/** Verified report of a provider or another source about a received fax. */
export interface CheckedReport {
  readonly report: ReceivedReport;
  /** One fax of one account is one row, however often and from wherever it is reported. */
  readonly account: { readonly backend: Backend; readonly accountId: string };
  /** Source of its document, as JSON: sealed, and opaque to this room. Null when it only comes along. */
  readonly source: unknown;
  readonly checkedBy: Check;
  /** Sentence for a person that says how it was reported and checked. */
  readonly text: string;
  /** The copy for the evidence; null when there was no notification. */
  readonly notification: string | null;
  /** True when the document came along: fetching waits until it has been inspected. */
  readonly hasDocument: boolean;
  /** True when the source reports that the call ended before every page had come. */
  readonly endedEarly?: boolean;
  /** The number it was sent to was not reported; it is the only one of the line. */
  readonly toInferred?: boolean;
  /** The provider should have notified of it and did not. */
  readonly isUnreported?: boolean;
  /** True when there was no report: the fax was found where it had been left. */
  readonly recovered?: boolean;
  /** Further writes in the transaction that records the fax. Queries only; runs for each report. */
  readonly additionalWrites?: (tx: WriteTx, faxId: string) => Promise<void>;
}

/** A received fax for the room that has its document. */
export interface SourcedFax {
  readonly id: string;
  readonly status: InboundStatus;
  /** Attempts to get the document that failed since the last beginning. */
  readonly failures: number;
  /** Opens the sealed facts of the report or the last offer; null when nothing is left there. The room parses it. */
  source(): unknown;
}

/** Outcome of filing a document: it was filed now, the same one was filed before, or another one was. */
export type FilingOutcome = 'filed' | 'again' | 'conflict';

/** A document that was checked and is stored. */
export interface KeptDocument {
  /** Name in the storage. */
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly pages: number;
  readonly mediaType: 'application/pdf';
}

/** Digest and size of a document. */
export type DocumentDigest = Pick<KeptDocument, 'sha256' | 'sizeBytes'>;

/** A document that is stored for a fax which does not exist yet. */
export interface StoredDocument {
  readonly faxId: string;
  readonly document: KeptDocument;
}

/** A fax to a number of the installation itself. */
export interface InternalFax {
  /** Id of the received fax that it becomes: the same however often it is handed over. */
  readonly id: string;
  readonly sentFaxId: string;
  /** E.164; null where the settings name none. */
  readonly from: string | null;
  readonly to: string;
  readonly about: FaxAbout;
  /** The PDF as it is stored, with its facts; the file stays where it is. */
  readonly document: Pick<KeptDocument, 'sha256' | 'sizeBytes' | 'pages'> & { readonly path: string };
}

/** Way of a document that is handed in: an import from another system, or direct delivery by a partner. */
type HandInWay = typeof IMPORT_BACKEND | typeof DIRECT_BACKEND;

/** Facts of a document that was handed in whole. */
export interface HandInFax {
  readonly by: HandInWay;
  /** With `sourceId` it names one fax. */
  readonly accountId: string;
  readonly sourceId: string;
  /** Name of the system, for people. */
  readonly sourceSystem: string;
  /** E.164, or `+` with digits. */
  readonly from: string | null;
  readonly to: string | null;
  readonly mailboxId: string | null;
  /** Time at which the other system received the document, ISO 8601 UTC. */
  readonly sourceReceivedAt: string | null;
  /** As the other system counts them. */
  readonly pages: number | null;
  readonly checkedBy: Check;
  readonly actor: string;
  /** One sentence for a person. */
  readonly text: string;
  /** Manifest that came with it, as JSON of at most 8 KB. */
  readonly copy: string;
}

/** All records of a received fax, for a room that has checked access to it. */
export interface RecordedFax {
  readonly fax: FaxRow;
  /** Oldest first, with the original notifications; null when it does not open, since it was altered. */
  readonly evidence: readonly InboundEvidenceTable[] | null;
  /** The open ones that cover it. */
  readonly legalHolds: readonly { readonly name: string }[];
}

/** A received fax at the moment its document was filed. */
export interface FiledFax {
  readonly id: string;
  readonly backend: Backend;
  readonly fromNumber: string | null;
  readonly toNumber: string | null;
  readonly mailboxId: string | null;
  readonly isTest: boolean;
  /** True when a test key asked for it: nobody works on it, and it is e-mailed to nobody. */
  readonly isOfTestKey: boolean;
  /** True when it came from a blocked sender: it asks for nobody and is announced to nobody. */
  readonly isJunk: boolean;
  /** ISO 8601 UTC. */
  readonly filedAt: string;
  readonly document: KeptDocument;
}

/** Filed fax whose pages were looked at for a document. */
export interface DecodedFax {
  readonly id: string;
  /** Of the document that was recovered; null when there is none. */
  readonly originalSha256: string | null;
}

/** Filed fax that a person moved to Junk by blocking its sender. */
export interface JunkedFax {
  readonly id: string;
  readonly caller: Caller;
}

/** Filed fax that a person took out of Junk. */
export interface ReturnedFax {
  /** Filed like a fax that arrives now; its document may have outlived its time. */
  readonly fax: FiledFax;
  readonly isDocumentKept: boolean;
  readonly caller: Caller;
}

/** Received fax of which pages may be missing, reported by its source after its document was filed. */
export interface IncompleteFax {
  readonly id: string;
  /** The name of its source. */
  readonly source: string;
  /** Sentence with the number of pages that came. */
  readonly text: string;
}

/** Received fax of which people recorded what it is about. */
export interface DescribedFax {
  readonly id: string;
  readonly actor: { readonly id: string | null; readonly name: string };
  /** Sentences for a person. */
  readonly text: string;
}

/** Received fax that a person moved to another mailbox. */
export interface MovedFax {
  readonly id: string;
  readonly mailboxId: string;
  readonly actor: { readonly id: string | null; readonly name: string };
  /** One sentence for a person. */
  readonly text: string;
}

/** Received fax of an earlier release. */
export interface EarlierReceived {
  readonly id: string;
  readonly backend: Backend;
  /** Id at the provider, or one that no provider has where it is not known or not the only one. */
  readonly providerId: string;
  /** E.164, or the digits as they were reported. */
  readonly from: string | null;
  readonly to: string | null;
  readonly mailboxId: string | null;
  readonly reportedPages: number | null;
  readonly receivedAt: string;
  readonly updatedAt: string;
  /** State as the earlier release wrote it. */
  readonly status: string;
  /** Time at which it saw the notification; null when it recorded none. */
  readonly notifiedAt: string | null;
  /** The document after a check, or the reason why the fax counts as not received. */
  readonly document: KeptDocument | { readonly problem: string };
}

/** Notification that an earlier release had seen. */
export interface EarlierNotification {
  readonly id: string;
  readonly backend: Backend;
  readonly providerId: string;
  readonly seenAt: string;
}
