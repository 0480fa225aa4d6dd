import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../../platform/ids.ts';
import { isTerminal } from '../delivery-state.ts';
import { documentGone, filesOrPreview, notInThisState, titlesOfFiles } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import type { Previews } from '../preview/preview.ts';
import type { Actor, JobRow } from '../types.ts';
import { Acceptance, type Flags, type SendRequest } from './accept.ts';
import { storedSendAt } from './send-later.ts';

/** A fax as a caller asks for it: with files, or with those that came with a preview. */
export interface SendOrder
  extends Pick<
    SendRequest,
    'to' | 'sources' | 'flags' | 'idempotencyKey' | 'titles' | 'mailboxId' | 'actor' | 'requestId'
  > {
  readonly previewId: string | null;
  /** With any offset. */
  readonly sendAt: string | undefined;
  readonly cleanGreys: boolean;
}

export interface ResendOrder {
  readonly to: string | null;
  readonly mailboxId: string | null;
  readonly idempotencyKey: string | null;
  readonly actor: Actor;
  readonly requestId: string;
}

/** The ways in which a fax comes to be. */
export class Sending {
  readonly #parts: OutboundParts;
  readonly #acceptance: Acceptance;
  readonly #previews: Previews;

  constructor(parts: OutboundParts, previews: Previews) {
    this.#parts = parts;
    this.#acceptance = new Acceptance(parts);
    this.#previews = previews;
  }

  async send({ previewId, sendAt, ...order }: SendOrder): Promise<JobRow> {
    if ((previewId === null) === (order.sources.length === 0)) throw filesOrPreview();
    const accept = (sources: SendRequest['sources']) => {
      const count = order.titles.length;
      if (count > 0 && count !== sources.length) throw titlesOfFiles();
      return this.#acceptance.accept({ ...order, sources, sendAt: storedSendAt(sendAt), resendOf: null });
    };
    if (previewId === null) return accept(order.sources);
    return this.#previews.withFiles(previewId, order.actor.id, accept);
  }

  /** The same document as a new fax, at once. The old one is untouched and must have ended. */
  async resend(job: JobRow, options: ResendOrder): Promise<JobRow> {
    if (!isTerminal(job.delivery_state))
      throw notInThisState(
        job.delivery_state === 'reconciliation_required'
          ? 'Decide first whether this fax arrived; then it can be sent again.'
          : 'This fax has not ended yet.',
      );
    const from = this.#parts.storage.localPath(job.artifact ?? '-');
    if (job.artifact === null || !from) throw documentGone();
    const path = join(this.#parts.workDirectory, newId());
    try {
      await copyFile(from, path).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? documentGone() : error;
      });
      const source = { path, fileName: job.document_name, declaredType: 'application/pdf' };
      const { actor, requestId, idempotencyKey, mailboxId } = options;
      return await this.#acceptance.accept({
        to: options.to ?? job.to_number,
        sources: [{ ...source, digest: `${job.id} ${job.document_sha256}` }],
        flags: flagsOf(job),
        idempotencyKey,
        resendOf: job.id,
        mailboxId,
        sendAt: null,
        cleanGreys: job.clean_greys === 1 ? 'done' : false,
        titles: JSON.parse(job.titles) as string[],
        actor,
        requestId,
      });
    } finally {
      await rm(path, { force: true });
    }
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
