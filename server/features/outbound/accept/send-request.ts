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
  /** Returns its ID, null for none. Throws a refusal. */
  readonly resolve: () => Promise<string | null>;
}

export interface SendRequest {
  readonly kind: FaxKind;
  /** Number as typed. */
  readonly to: string;
  /** The preview that has the files; null when they came with the request. */
  readonly previewId: string | null;
  readonly lendDocument: LendDocument;
  readonly flags: Flags;
  readonly idempotencyKey: string | null;
  /** Called when an earlier request with the key made the fax. */
  readonly onReplay?: () => void;
  readonly resendOf: string | null;
  /** Id of the received fax that it answers; null for none. */
  readonly answers: string | null;
  /** Ids of the printed documents that it was made from; left out for none. */
  readonly printed?: readonly string[];
  /** The case whose packet it is, or is sent again; null for other faxes. */
  readonly caseId: string | null;
  /** The broadcast that it is a fax of; left out for other faxes. */
  readonly broadcast?: BroadcastPart | undefined;
  /** True for a copy of an earlier fax: it has that one's titles, and one file. */
  readonly keepsTitles: boolean;
  readonly mailbox: RequestedMailbox;
  /** Stored time; null for at once. */
  readonly sendAt: string | null;
  /** Latest time, stored; null for no limit. */
  readonly sendBy: string | null;
  readonly sendWhen: SendWhen;
  readonly cleanGreys: boolean;
  readonly pageForm: PageForm;
  /** True where the form is that of an earlier fax and nobody asked for it now. */
  readonly isFormCopied: boolean;
  /** Titles, one for each file, or none. */
  readonly titles: readonly string[];
  readonly about: FaxAbout;
  /** Null for none, whatever contact and mailbox have. */
  readonly cover: CoverRequest | null;
  /** JSON of the cover page that the document of an earlier fax begins with; left out for other documents. */
  readonly printedCover?: string | null;
  /** Null where the gateway sends on behalf of an earlier sender: another try, or a fax of a broadcast. */
  readonly caller: Caller | null;
  readonly triesAgain: TryAgainDetails | null;
  /** Left out where nobody asked for the wrong-number guard. */
  readonly guard?: GuardRequest | undefined;
  /** True for a test fax: of a test key, or one that sends a test fax again. */
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
  /** Count of the automatic ones, including this one. */
  readonly automaticTries: number;
  /** One sentence for the history. */
  readonly reason: string;
  /** Runs in the transaction that records the fax; throws where it may not be sent. */
  readonly linkNewFax: (tx: WriteTx, id: string) => Promise<void>;
}
