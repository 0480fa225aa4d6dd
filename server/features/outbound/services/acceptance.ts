import { createHash } from 'node:crypto';
import type { CodePageContent } from '../../../documents/documents.ts';
import { NO_ABOUT } from '../../../platform/fax-about.ts';
import type { Caller } from '../../access/service.ts';
import { keyRequesterOf, requesterOf } from '../accept/idempotency.ts';
import { senderMailbox } from '../accept/sender-mailbox.ts';
import type { ResendOrder, Sending, SendOrder } from '../accept/sending.ts';
import type { OutboundParts } from '../parts.ts';
import { findRequest } from '../store/request-store.ts';
import type { FaxRecord } from '../types.ts';
import type { FaxFinder } from './find-fax.ts';

/** Request with a mailbox by ID or label; null leaves the choice to the gateway. */
type SendRequest = Omit<SendOrder, 'kind' | 'mailbox' | 'caller' | 'earlierFax' | 'answers'> & {
  readonly mailbox: string | null;
  /** Id of the received fax that it answers, which the caller may read; null for none. */
  readonly answers?: string | null;
  /** The ended fax that this one sends again, as a person put it together; null for none. */
  readonly resendOf?: string | null;
};
/** Request for the fax with the code of a partner. */
interface CodeRequest {
  readonly to: string;
  /** By ID or label; null leaves the choice to the gateway. */
  readonly mailbox: string | null;
  readonly page: CodePageContent;
  /** Displayed as the name of the document. */
  readonly fileName: string;
  readonly idempotencyKey: string;
}
type ResendRequest = Omit<ResendOrder, 'caller'>;

/** Accepts faxes. */
export interface AcceptanceService {
  send(caller: Caller, request: SendRequest): Promise<FaxRecord>;
  /** Sends the page with the code of a partner, by a call even to one of our own numbers. */
  sendCode(caller: Caller, request: CodeRequest): Promise<FaxRecord>;
  /** Returns the ID of the fax with the code of a partner that was accepted for any person under the key; null for none. */
  codeFaxOf(caller: Caller, key: string): Promise<string | null>;
  /** Returns the ID of the fax accepted for this caller, or a person by ID, and Idempotency-Key; null for none. */
  repeatOf(caller: Caller | string, key: string): Promise<string | null>;
  /** Accepts the same document as a new fax. The old one is untouched and must have ended. */
  resend(caller: Caller, id: string, order: ResendRequest): Promise<FaxRecord>;
  /** Sends to a busy or unanswered number again in a few minutes, as a new fax; see `Sending`. */
  tryAgain(caller: Caller, id: string): Promise<FaxRecord>;
}

export function createAcceptanceService(
  parts: Pick<OutboundParts, 'db' | 'seal' | 'documents' | 'received'> & {
    readonly sending: Sending;
    readonly finder: FaxFinder;
  },
): AcceptanceService {
  const { db, seal, documents, received, sending, finder } = parts;
  const findFaxOf = async (callerId: string, key: string) =>
    (await findRequest(db.read, seal, { callerId, key }))?.job_id ?? null;
  return {
    async sendCode(caller, { to, mailbox, page, fileName, idempotencyKey }) {
      const bytes = await documents.for(caller.principal.id).codePage(page);
      const digest = createHash('sha256').update(bytes).digest('hex');
      const job = await sending.send({
        kind: 'code',
        caller,
        to,
        previewId: null,
        sources: [{ bytes, fileName, declaredType: 'application/pdf', digest }],
        flags: { queue_only: false, send_now: true, urgent: false, send_by_call: true },
        idempotencyKey,
        isGatewayKey: true,
        earlierFax: null,
        answers: null,
        mailbox: { named: mailbox, resolve: () => senderMailbox(db.read, caller, mailbox) },
        sendAt: undefined,
        cleanGreys: false,
        pageForm: 'automatic',
        titles: [],
        about: NO_ABOUT,
        cover: null,
      });
      return finder.recordOf(caller, job);
    },
    async send(caller, { mailbox, resendOf = null, answers = null, ...order }) {
      const resolve = () => senderMailbox(db.read, caller, mailbox);
      const earlierFax = resendOf === null ? null : await finder.find(caller, 'fax:send', resendOf);
      if (answers !== null) await received.assertReadable(caller, answers);
      const job = await sending.send({
        ...order,
        kind: 'fax',
        earlierFax,
        answers: answers ?? earlierFax?.answers ?? null,
        mailbox: { named: mailbox, resolve },
        caller,
      });
      return finder.recordOf(caller, job);
    },
    codeFaxOf: (caller, key) => findFaxOf(keyRequesterOf({ isGatewayKey: true }, caller), key),
    async repeatOf(caller, key) {
      return findFaxOf(typeof caller === 'string' ? caller : requesterOf(caller), key);
    },
    async resend(caller, id, order) {
      const job = await finder.find(caller, 'fax:send', id);
      return finder.recordOf(caller, await sending.resend(job, { ...order, caller }));
    },
    async tryAgain(caller, id) {
      const job = await finder.find(caller, 'fax:send', id);
      return finder.recordOf(caller, await sending.tryAgain(job, caller));
    },
  };
}
