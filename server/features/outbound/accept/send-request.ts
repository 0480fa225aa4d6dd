import type { PageForm } from '../../../../shared/encoded-pages.ts';
import type { SendWhen } from '../../../../shared/send-when.ts';
import type { FaxKind } from '../../../../shared/states/outbound.ts';
import type { WriteTx } from '../../../db/database.ts';
import type { FaxAbout } from '../../../platform/fax-about.ts';
import type { Caller } from '../../access/service.ts';
import type { CoverRequest } from '../../covers/types.ts';
import type { GuardRequest } from '../guard/guard.ts';
import type { JobRow } from '../types.ts';
import type { LendDocument } from './sent-document.ts';

export interface Flags {
  readonly queue_only: boolean;
  readonly send_now: boolean;
  readonly urgent: boolean;
  readonly send_by_call: boolean;
}

/** The mailbox a fax is sent for. */
export interface RequestedMailbox {
  /** ID or label as given by the caller; null leaves the choice to the gateway. */
  readonly named: string | null;
  /** Returns the ID of the mailbox, null for none. Throws a refusal. */
  readonly resolve: () => Promise<string | null>;
}

export interface SendRequest {
  readonly kind: FaxKind;
  /** Number of the recipient as typed. */
  readonly to: string;
  /** The preview that has the files; null when they came with the request. */
  readonly previewId: string | null;
  readonly lendDocument: LendDocument;
  readonly flags: Flags;
  readonly idempotencyKey: string | null;
  /** True for a key that the gateway made, such as that of an e-mail; left out for those of callers. */
  readonly isGatewayKey?: boolean;
  /** Called when the fax was accepted before, by an earlier request with the same key. */
  readonly onReplay?: () => void;
  /** ID of the earlier fax that it sends again; null for none. */
  readonly resendOf: string | null;
  /** ID of the received fax that it answers; null for none. */
  readonly answers: string | null;
  /** IDs of the printed documents that it was made from; left out for none. */
  readonly printed?: readonly string[];
  /** ID of the case whose packet it sends, or sends again; null for other faxes. */
  readonly caseId: string | null;
  /** Broadcast that it belongs to; left out for other faxes. */
  readonly broadcast?: BroadcastPart | undefined;
  /** True when the number of titles may differ from that of the files, as for copies of earlier faxes, which are one file. */
  readonly isTitleCountFree: boolean;
  readonly mailbox: RequestedMailbox;
  /** Time to send it at, as stored; null for at once. */
  readonly sendAt: string | null;
  /** Latest time to send it at, as stored; null for no limit. */
  readonly sendBy: string | null;
  readonly sendWhen: SendWhen;
  readonly cleanGreys: boolean;
  readonly pageForm: PageForm;
  /** True when the page form was copied from an earlier fax and not requested for this one. */
  readonly isFormCopied: boolean;
  /** Titles of the documents, one for each file, or none. */
  readonly titles: readonly string[];
  readonly about: FaxAbout;
  /** Null for no cover page, even where the contact or mailbox has one. */
  readonly cover: CoverRequest | null;
  /** JSON of the cover page that the document of an earlier fax begins with; left out for other documents. */
  readonly printedCover?: string | null;
  /** Null where the gateway sends on behalf of an earlier sender: an automatic try, or a fax of a broadcast. */
  readonly caller: Caller | null;
  /** Null unless it tries the number of an earlier fax again. */
  readonly tryAgainDetails: TryAgainDetails | null;
  /** Left out where the wrong-number guard was not requested. */
  readonly guard?: GuardRequest | undefined;
  /** True for a test fax: one that a test key sends, or a copy of a test fax. */
  readonly isTest: boolean;
}

/** Sender of a fax, with the name in the header line that they set for their faxes; null for that of the office. */
export type FaxSender = Pick<JobRow, 'created_by' | 'created_by_name' | 'header_name'>;

/** Place of a fax in a broadcast. */
interface BroadcastPart {
  readonly id: string;
  readonly sender: FaxSender;
  /** Sender as the cover page names them; null where none is known. */
  readonly caller: Caller | null;
  /** Runs in the transaction that records the fax; throws where it may not be sent. */
  readonly linkNewFax: (tx: WriteTx, id: string) => Promise<void>;
}

/** A fax that tries a busy or unanswered number again. */
export interface TryAgainDetails {
  readonly sender: FaxSender;
  /** Number of automatic tries in a row, including this one; 0 for a try that a person requested. */
  readonly automaticTries: number;
  /** One sentence for the history. */
  readonly reason: string;
  /** Runs in the transaction that records the fax; throws where it may not be sent. */
  readonly linkNewFax: (tx: WriteTx, id: string) => Promise<void>;
}
