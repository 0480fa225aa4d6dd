import type { Caller } from '../../access/service.ts';
import { isTerminal } from '../delivery-state.ts';
import { filesOrPreview, notEnded } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import type { Previews } from '../preview/preview.ts';
import type { JobRow } from '../types.ts';
import {
  type Acceptance,
  createAcceptance,
  type Flags,
  type SendRequest,
  type WantedMailbox,
} from './accept.ts';
import { storedSendAt } from './send-later.ts';
import { type LendDocument, storedDocument, type UploadedSource, uploadedDocument } from './sent-document.ts';

/** A fax as a caller asks for it: with files, or with those that came with a preview. */
export interface SendOrder extends Omit<SendRequest, 'lendDocument' | 'resendOf' | 'sendAt'> {
  readonly sources: readonly UploadedSource[];
  /** With any offset. */
  readonly sendAt: string | undefined;
}

export interface ResendOrder {
  readonly to: string | null;
  readonly mailbox: WantedMailbox;
  readonly idempotencyKey: string | null;
  readonly caller: Caller;
}

/** The ways in which a fax comes to be. */
export function createSending(parts: OutboundParts, previews: Previews): Sending {
  return new Sending(parts, previews);
}

export type { Sending };

class Sending {
  readonly #parts: OutboundParts;
  readonly #acceptance: Acceptance;
  readonly #previews: Previews;

  constructor(parts: OutboundParts, previews: Previews) {
    this.#parts = parts;
    this.#acceptance = createAcceptance(parts);
    this.#previews = previews;
  }

  async send({ sources, sendAt, ...order }: SendOrder): Promise<JobRow> {
    const { previewId, cleanGreys, caller } = order;
    if ((previewId === null) === (sources.length === 0)) throw filesOrPreview();
    const lendDocument: LendDocument =
      previewId === null
        ? (work) => work(uploadedDocument(this.#parts, sources, { caller, cleanGreys }))
        : (work) => this.#previews.lendDocument(previewId, { caller, cleanGreys }, work);
    return this.#acceptance.accept({
      ...order,
      lendDocument,
      sendAt: storedSendAt(sendAt),
      resendOf: null,
    });
  }

  /** The same document as a new fax, at once. The old one is untouched and must have ended. */
  async resend(job: JobRow, options: ResendOrder): Promise<JobRow> {
    if (!isTerminal(job.delivery_state))
      throw notEnded(
        job.delivery_state === 'reconciliation_required'
          ? 'Confirm first whether this fax arrived. Then you can send it again.'
          : 'This fax has not finished yet.',
      );
    return this.#acceptance.accept({
      ...options,
      to: options.to ?? job.to_number,
      previewId: null,
      lendDocument: (work) => work(storedDocument(this.#parts, job)),
      flags: flagsOf(job),
      resendOf: job.id,
      sendAt: null,
      cleanGreys: job.clean_greys === 1,
      titles: JSON.parse(job.titles) as string[],
    });
  }
}

function flagsOf(job: JobRow): Flags {
  return {
    queue_only: false,
    send_now: false,
    urgent: job.urgent === 1,
    send_by_call: job.send_by_call === 1,
  };
}
