import type { PageForm } from '../../../../shared/encoded-pages.ts';
import type { SendWhen } from '../../../../shared/send-when.ts';
import { aboutOf, type GivenAbout } from '../../../platform/fax-about.ts';
import { requestedNumber } from '../../../platform/phone-number.ts';
import { assertSealing } from '../../../platform/seal.ts';
import type { Caller } from '../../access/service.ts';
import { isTerminal } from '../delivery-state.ts';
import { codeForOtherNumber, filesAndPreview, filesOrPreview, noSuchPage, notEnded } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { storedSendAt } from '../queue/send-later.ts';
import type { FaxNotifier } from '../record/events.ts';
import type { JobRow } from '../types.ts';
import type { Acceptance } from './accept.ts';
import { type Packet, packetDocument } from './packet-document.ts';
import type { Flags, RequestedMailbox, SendRequest } from './send-request.ts';
import { mailboxForResend } from './sender-mailbox.ts';
import type { LendDocument, SentDocument, SentDocuments, UploadedSource } from './sent-document.ts';
import { type RepeatOrder, sendFailedAgain, tryAgain } from './try-again.ts';

type Parts = Pick<
  OutboundParts,
  'db' | 'clock' | 'seal' | 'settings' | 'storage' | 'documents' | 'workDirectory' | 'broadcasts'
> & {
  readonly notifier: FaxNotifier;
  readonly acceptance: Acceptance;
  readonly previews: PreviewedDocuments;
  readonly sentDocuments: SentDocuments;
};

/** Times as they are in a request: ISO 8601 with any offset. */
interface GivenTimes {
  readonly sendAt: string | undefined;
  /** Left out for no limit. */
  readonly sendBy?: string | undefined;
  /** Left out for any time. */
  readonly sendWhen?: SendWhen | undefined;
}

const storedTimes = ({ sendAt, sendBy, sendWhen }: GivenTimes) => ({
  sendAt: storedSendAt(sendAt),
  sendBy: storedSendAt(sendBy),
  sendWhen: sendWhen ?? 'now',
});

/** Changes of a copy with all pages and the page form of the earlier fax: none. */
const UNCHANGED_COPY = { fromPage: 1, pageForm: null } as const;

/** Order to send a fax, with uploaded files or those of a preview. */
export interface SendOrder
  extends Omit<
      SendRequest,
      | 'lendDocument'
      | 'resendOf'
      | 'caseId'
      | 'isTitleCountFree'
      | 'isFormCopied'
      | 'sendAt'
      | 'sendBy'
      | 'sendWhen'
      | 'tryAgainDetails'
      | 'isTest'
      | 'printedCover'
    >,
    GivenTimes {
  readonly caller: Caller;
  /** Earlier fax that this one sends again, perhaps with changes; null for a new fax. */
  readonly earlierFax: JobRow | null;
  readonly sources: readonly UploadedSource[];
}

/** Order to send the documents of a case as one fax. */
export interface PacketOrder
  extends Pick<SendRequest, 'to' | 'flags' | 'mailbox' | 'idempotencyKey' | 'onReplay' | 'about' | 'guard'>,
    GivenTimes {
  readonly packet: Packet;
  readonly caller: Caller;
}

export interface ResendOrder {
  readonly to: string | null;
  /** ID or label; null for that of the original fax. */
  readonly mailbox: string | null;
  readonly idempotencyKey: string | null;
  readonly onReplay?: () => void;
  /** First page to send, such as the first that is missing; null for all. */
  readonly fromPage: number | null;
  /** Null for the page form of the original fax. */
  readonly pageForm: PageForm | null;
  /** Replaces the values of the original fax; values that are left out are kept. */
  readonly about?: GivenAbout;
  readonly caller: Caller;
}

/** Documents that previews have prepared. */
interface PreviewedDocuments {
  /** Lends the document of a preview while `work` runs. Throws a 409 refusal when it is gone or belongs to another caller. */
  lendDocument<T>(
    previewId: string,
    by: { readonly caller: Caller; readonly cleanGreys: boolean },
    work: (document: SentDocument) => Promise<T>,
  ): Promise<T>;
}

/** Creates the service that accepts faxes: new ones, case packets, and copies of earlier faxes. */
export function createSending(parts: Parts): Sending {
  return new Sending(parts);
}

export type { Sending };

class Sending {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sends uploaded files or those of a preview as a fax. Throws refusals, also for an earlier fax that has not ended. */
  async send({ sources, earlierFax, ...order }: SendOrder): Promise<JobRow> {
    assertSealing(this.#parts.seal);
    if (earlierFax) {
      assertEnded(earlierFax);
      assertSameNumber(earlierFax, order.to, this.#parts.settings.country());
    }
    const { previewId, cleanGreys, caller } = order;
    if (previewId === null && sources.length === 0) throw filesOrPreview();
    if (previewId !== null && sources.length > 0) throw filesAndPreview();
    const lendDocument: LendDocument =
      previewId === null
        ? (work) => work(this.#parts.sentDocuments.ofUpload(sources, { caller, cleanGreys }))
        : (work) => this.#parts.previews.lendDocument(previewId, { caller, cleanGreys }, work);
    return this.#parts.acceptance.accept({
      ...order,
      kind: earlierFax?.kind ?? order.kind,
      lendDocument,
      ...storedTimes(order),
      resendOf: earlierFax?.id ?? null,
      caseId: null,
      isTitleCountFree: false,
      isFormCopied: false,
      tryAgainDetails: null,
      isTest: caller.isTest || earlierFax?.test === 1,
    });
  }

  /** Sends the documents of a case as one fax. */
  async sendPacket({ packet, ...order }: PacketOrder): Promise<JobRow> {
    assertSealing(this.#parts.seal);
    const { caller } = order;
    const document = packetDocument(this.#parts, packet, caller);
    return this.#parts.acceptance.accept({
      ...order,
      kind: 'fax',
      previewId: null,
      lendDocument: (work) => work(document),
      ...storedTimes(order),
      resendOf: null,
      answers: null,
      caseId: packet.caseId,
      // The packet is one file with the titles of all its documents.
      isTitleCountFree: true,
      titles: packet.documents.map(({ title }) => title),
      cleanGreys: false,
      pageForm: 'automatic',
      isFormCopied: false,
      cover: null,
      tryAgainDetails: null,
      isTest: caller.isTest,
    });
  }

  /** Sends the same document as a new fax, at once. The earlier fax must have ended, and is not changed. */
  async resend(job: JobRow, { fromPage, pageForm, about, ...order }: ResendOrder): Promise<JobRow> {
    assertSealing(this.#parts.seal);
    assertEnded(job);
    if (fromPage !== null && fromPage > job.document_pages)
      throw noSuchPage({ page: fromPage, pages: job.document_pages });
    const { to, caller } = order;
    assertSameNumber(job, to, this.#parts.settings.country());
    const changes = { fromPage: fromPage ?? 1, pageForm };
    return this.#acceptCopy(job, changes, {
      ...order,
      mailbox: this.#mailboxOf(job, caller, order.mailbox),
      to: to ?? job.to_number,
      about: aboutOf(about ?? {}, job),
      sendAt: null,
      sendBy: null,
      sendWhen: 'now',
      tryAgainDetails: null,
    });
  }

  /**
   * Sends a fax to a busy or unanswered number again in a few minutes, as a new fax: once for each fax, however many
   * requests there are. Throws a 409 refusal when the fax did not fail that way.
   */
  async tryAgain(job: JobRow, caller: Caller | null): Promise<JobRow> {
    assertSealing(this.#parts.seal);
    const by = { caller, mailbox: this.#mailboxOf(job, caller, null) };
    return tryAgain(this.#parts, job, by, (order) => this.#acceptCopy(job, UNCHANGED_COPY, order));
  }

  /** Sends a failed fax of a broadcast again on behalf of its sender: once for each fax, however often it is called. */
  async sendFailedAgain(job: JobRow): Promise<void> {
    assertSealing(this.#parts.seal);
    const by = { caller: null, mailbox: this.#mailboxOf(job, null, null) };
    await sendFailedAgain(this.#parts, job, by, (order) => this.#acceptCopy(job, UNCHANGED_COPY, order));
  }

  /** Returns the mailbox of the new fax; that of the earlier one where the gateway itself sends again. */
  #mailboxOf(job: JobRow, caller: Caller | null, named: string | null): RequestedMailbox {
    const wanted = { before: job.mailbox_id, wanted: named };
    const { db } = this.#parts;
    return {
      named,
      resolve: async () => (caller === null ? job.mailbox_id : mailboxForResend(db.read, caller, wanted)),
    };
  }

  /**
   * Returns the broadcast that a copy belongs to. A fax that tries a number again replaces the earlier fax in its
   * broadcast; a copy that a person sends does not belong to it.
   */
  #broadcastOf(job: JobRow, { tryAgainDetails }: RepeatOrder): SendRequest['broadcast'] {
    if (job.broadcast_id === null || tryAgainDetails === null) return undefined;
    return {
      id: job.broadcast_id,
      sender: tryAgainDetails.sender,
      caller: null,
      linkNewFax: (tx, id) => this.#parts.broadcasts.replaced(tx, { earlier: job.id, id }),
    };
  }

  #acceptCopy(
    job: JobRow,
    { fromPage, pageForm }: { readonly fromPage: number; readonly pageForm: PageForm | null },
    order: RepeatOrder,
  ): Promise<JobRow> {
    const { sentDocuments } = this.#parts;
    const document = fromPage > 1 ? sentDocuments.ofPages(job, fromPage) : sentDocuments.ofFax(job);
    return this.#parts.acceptance.accept({
      ...order,
      kind: job.kind,
      previewId: null,
      lendDocument: (work) => work(document),
      flags: flagsOf(job),
      resendOf: job.id,
      answers: job.answers,
      caseId: job.case_id,
      broadcast: this.#broadcastOf(job, order),
      isTitleCountFree: true,
      cleanGreys: job.clean_greys === 1,
      pageForm: pageForm ?? job.page_form,
      isFormCopied: pageForm === null,
      titles: JSON.parse(job.titles) as string[],
      // The document begins with the cover page of the earlier fax already.
      cover: null,
      printedCover: fromPage > 1 ? null : job.cover,
      // A copy of a test fax is a test fax, whoever sends it.
      isTest: job.test === 1,
    });
  }
}

/** Throws a 409 refusal for a fax that could still arrive. */
function assertEnded({ delivery_state }: JobRow): void {
  if (isTerminal(delivery_state)) return;
  throw notEnded(
    delivery_state === 'reconciliation_required'
      ? 'Confirm first whether this fax arrived. Then you can send it again.'
      : 'This fax has not finished yet.',
  );
}

/** Throws a 409 refusal for a code that would go to another number, which it would then seem to prove. */
function assertSameNumber({ kind, to_number }: JobRow, to: string | null, country: string): void {
  if (kind === 'code' && to !== null && requestedNumber(to, country) !== to_number)
    throw codeForOtherNumber();
}

function flagsOf(job: JobRow): Flags {
  return {
    queue_only: false,
    send_now: false,
    urgent: job.urgent === 1,
    send_by_call: job.send_by_call === 1,
  };
}
