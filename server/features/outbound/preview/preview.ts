import { join } from 'node:path';
import type { z } from 'zod';
import type { EncodedPreview } from '../../../../shared/api/outbound-shapes.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { PageEdits } from '../../../../shared/page-edits.ts';
import { requestedNumber } from '../../../platform/phone-number.ts';
import { type Caller, isMadeBy, keyOf } from '../../access/service.ts';
import { areEdited, unedited } from '../accept/edited-source.ts';
import { identityOf, type SentDocument, type UploadedSource } from '../accept/sent-document.ts';
import { badNumber, previewExpired, previewFilesGone, previewsUnderWay } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import type { DocumentIdentity } from '../store/guard-store.ts';
import { type EncodedRequest, estimateForPreview } from './estimate-encoded.ts';
import {
  createDrawingTurns,
  createPreviewDrawing,
  type DrawingOptions,
  type PreviewDrawing,
} from './preview-drawing.ts';
import { createPreviewFiles, type PreviewFiles } from './preview-files.ts';
import { previewHeader } from './preview-header.ts';

type Parts = Pick<
  OutboundParts,
  | 'db'
  | 'clock'
  | 'logger'
  | 'storage'
  | 'documents'
  | 'transports'
  | 'settings'
  | 'contacts'
  | 'workDirectory'
  | 'desk'
>;

const MINUTE_MS = 60_000;
const SWEEP_MS = MINUTE_MS;

interface PreviewRequest {
  readonly caller: Caller;
  readonly cleanGreys: boolean;
  /** A call is placed even to a number of our own. */
  readonly byCall: boolean;
  /** True when the response waits for the last page. */
  readonly wait: boolean;
}

/** The principal who made a preview, and the key they used. */
interface PreviewMaker {
  readonly principalId: string;
  readonly keyId: string | null;
}

/** Present state of a preview. */
export interface StoredPreview {
  readonly drawing: PreviewDrawing;
  readonly maker: PreviewMaker;
  readonly madeAt: number;
  /** Epoch milliseconds. */
  expiresAt: number;
  /** Requests that wait for its last page; while there are any, it makes room for no other and does not expire. */
  waiting: number;
}

/**
 * Creates the store of previews: pages as the receiving machine prints them, for the person who requested them, and
 * their files, so that neither another view nor the fax needs an upload again. No job is recorded.
 */
export function createPreviews(parts: Parts): Previews {
  return new Previews(parts);
}

export type { Previews };

class Previews {
  readonly #parts: Parts;
  readonly #directory: string;
  readonly #stored = new Map<string, StoredPreview>();
  readonly #turns = createDrawingTurns();
  readonly #removing = new Set<Promise<void>>();
  #sweeper: NodeJS.Timeout | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#directory = join(parts.workDirectory, 'previews');
  }

  /**
   * Takes over the files and begins drawing. Throws a refusal for a document that cannot be sent, as far as that is
   * known at the time of the answer.
   */
  async make(
    sources: readonly UploadedSource[],
    request: PreviewRequest & { to: string | null },
  ): Promise<StoredPreview> {
    const to = this.#recipient(request.to);
    this.sweep();
    // Refuses before any work where possible.
    this.#replaceable(makerOf(request.caller));
    const files = createPreviewFiles(this.#parts, this.#directory, request.caller);
    const edits = areEdited(sources) ? sources.map((source) => source.edits ?? null) : null;
    if (edits === null) return this.#draw(files, { ...request, to }, () => files.keep(sources));
    try {
      await files.keep(unedited(sources));
      return await this.#draw(await files.edited(edits), { ...request, to });
    } finally {
      await files.release();
    }
  }

  /**
   * The same files drawn with the other choice, or for another number (left out: that of before); a preview that shows
   * them so already is answered again.
   */
  async redraw(
    id: string,
    { edits, ...request }: PreviewRequest & { to?: string | undefined; edits?: PageEdits | null | undefined },
  ): Promise<StoredPreview> {
    const { drawing } = this.get(id, request.caller);
    const to = request.to === undefined ? drawing.to : this.#recipient(request.to);
    const header = await previewHeader(this.#parts, { ...request, to });
    const files = await this.#filesWith(drawing, edits);
    for (const other of this.#stored.values()) {
      if (!hasSameDrawing(other.drawing, { ...request, files, to, header })) continue;
      await files.release();
      return this.#whole(this.#renew(other), request);
    }
    return this.#draw(files, { ...request, to });
  }

  /**
   * Returns the present state of the preview; reading it keeps it alive. Throws a 404 refusal when it is gone or
   * belongs to another caller.
   */
  get(id: string, caller: Caller): StoredPreview {
    this.sweep();
    return this.#renew(this.#findOwn(id, caller));
  }

  /** The picture of page `number` from 1; waits until it is drawn. */
  async page(id: string, number: number, caller: Caller): Promise<Uint8Array> {
    this.sweep();
    return this.#findOwn(id, caller).drawing.page(number);
  }

  /** The picture of page `number` from 1 of its files, as they were uploaded. */
  async unchangedPage(
    id: string,
    { page, width }: { page: number; width: number },
    caller: Caller,
  ): Promise<Uint8Array> {
    return this.get(id, caller).drawing.files.unchangedPage(page, width);
  }

  /** Estimates the encoded pages that its document would be sent as; it stays while it is read. */
  async estimateEncoded(
    id: string,
    caller: Caller,
    { to, ...request }: EncodedRequest,
  ): Promise<z.infer<typeof EncodedPreview>> {
    const { drawing } = this.get(id, caller);
    const number = requestedNumber(to, this.#parts.settings.country());
    if (!number) throw badNumber();
    drawing.files.use();
    try {
      return await estimateForPreview(this.#parts, caller, drawing, { ...request, to: number });
    } finally {
      await drawing.files.release();
    }
  }

  /** Returns the identity of its files. Throws a 404 refusal when it is gone or belongs to another caller. */
  identity(id: string, caller: Caller): DocumentIdentity {
    return identityOf(this.get(id, caller).drawing.files.sources);
  }

  remove(id: string, caller: Caller): void {
    this.#findOwn(id, caller);
    this.#forget(id);
  }

  /**
   * Lends the document of a preview for the duration of `work`: the PDF that the preview has made or is making, with or
   * without grays as the fax requires. Throws a 409 refusal when it is gone or belongs to another caller.
   */
  async lendDocument<T>(
    id: string,
    { caller, cleanGreys }: Pick<PreviewRequest, 'caller' | 'cleanGreys'>,
    work: (document: SentDocument) => Promise<T>,
  ): Promise<T> {
    this.sweep();
    const stored = this.#stored.get(id);
    if (!stored || !isMadeBy(caller, stored.maker)) throw previewFilesGone();
    const { drawing } = stored;
    const { files } = drawing;
    files.use();
    try {
      return await work(
        files.document(caller, cleanGreys, drawing.cleanGreys === cleanGreys ? drawing.seconds : null),
      );
    } finally {
      await files.release();
    }
  }

  /** Ends expired previews; those of before a restart went with the work folder. */
  sweep(): void {
    const now = this.#parts.clock.now();
    for (const [id, stored] of this.#stored)
      if (stored.expiresAt <= now && stored.waiting === 0) this.#forget(id);
  }

  /** Ends everything and waits until it is removed. */
  async close(): Promise<void> {
    for (const id of this.#stored.keys()) this.#forget(id);
    await Promise.all(this.#removing);
  }

  /** Returns the files of a drawing, or of another one of the same upload, with these changes, as one more of their users. */
  async #filesWith({ files }: PreviewDrawing, edits: PageEdits | null | undefined): Promise<PreviewFiles> {
    const wanted = edits === undefined ? files.edits : edits;
    for (const { drawing } of this.#stored.values()) {
      if (drawing.files.upload !== files.upload || !areEqual(drawing.files.edits, wanted)) continue;
      drawing.files.use();
      return drawing.files;
    }
    return files.edited(wanted);
  }

  /** Throws a 404 refusal when it is gone or belongs to another caller. */
  #findOwn(id: string, caller: Caller): StoredPreview {
    const stored = this.#stored.get(id);
    if (!stored || !isMadeBy(caller, stored.maker)) throw previewExpired();
    return stored;
  }

  /** Releases the files unless a preview shows them. */
  async #draw(
    files: PreviewFiles,
    request: PreviewRequest & { to: string | null },
    prepare: () => Promise<void> = async () => undefined,
  ): Promise<StoredPreview> {
    const { caller, cleanGreys, byCall, to } = request;
    const maker = makerOf(caller);
    let options: DrawingOptions;
    try {
      await prepare();
      const header = await previewHeader(this.#parts, { caller, to, byCall });
      for (const id of this.#replaceable(maker)) this.#forget(id);
      options = { directory: this.#directory, header, to, byCall, cleanGreys };
    } catch (error) {
      await files.release();
      throw error;
    }
    const drawing = createPreviewDrawing(files, options, this.#turns);
    const stored = { drawing, maker, madeAt: this.#parts.clock.now(), expiresAt: 0, waiting: 0 };
    this.#stored.set(drawing.id, this.#renew(stored));
    this.#sweeper ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    return this.#whole(stored, request);
  }

  async #whole(stored: StoredPreview, { wait }: PreviewRequest): Promise<StoredPreview> {
    const { drawing } = stored;
    if (!wait) return stored;
    stored.waiting += 1;
    await drawing.finished.finally(() => {
      stored.waiting -= 1;
    });
    // Its person ended it meanwhile, or the gateway stops.
    if (drawing.isStopped) throw previewExpired();
    if (drawing.failure === null) return this.#renew(stored);
    this.#forget(drawing.id);
    throw drawing.failure;
  }

  #renew(stored: StoredPreview): StoredPreview {
    const { previewMinutes, previewMostMinutes } = LIMITS;
    stored.expiresAt = Math.min(
      this.#parts.clock.now() + previewMinutes * MINUTE_MS,
      stored.madeAt + previewMostMinutes * MINUTE_MS,
    );
    return stored;
  }

  /** The oldest previews of a caller, which end for one more. Throws a 429 refusal while all of them are waited for. */
  #replaceable({ principalId, keyId }: PreviewMaker): string[] {
    const own = [...this.#stored].filter(
      ([, { maker }]) => maker.principalId === principalId && maker.keyId === keyId,
    );
    const spare = Math.max(own.length + 1 - LIMITS.previewsPerCaller, 0);
    const oldest = own.filter(([, { waiting }]) => waiting === 0).slice(0, spare);
    if (oldest.length < spare) throw previewsUnderWay();
    return oldest.map(([id]) => id);
  }

  #forget(id: string): void {
    const stored = this.#stored.get(id);
    if (!stored) return;
    this.#stored.delete(id);
    const removing = stored.drawing
      .remove()
      .catch((error: unknown) => this.#parts.logger.error({ error }, 'a preview could not be removed'))
      .finally(() => this.#removing.delete(removing));
    this.#removing.add(removing);
    if (this.#stored.size > 0 || !this.#sweeper) return;
    clearInterval(this.#sweeper);
    this.#sweeper = null;
  }

  /** E.164 of the typed number. Throws a 400 refusal when it is none. */
  #recipient(to: string | null): string | null {
    if (to === null) return null;
    const number = requestedNumber(to, this.#parts.settings.country());
    if (!number) throw badNumber();
    return number;
  }
}

const areEqual = (one: PageEdits | null, other: PageEdits | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const makerOf = (caller: Caller): PreviewMaker => ({
  principalId: caller.principal.id,
  keyId: keyOf(caller),
});

function hasSameDrawing(
  drawing: PreviewDrawing,
  wanted: Pick<PreviewDrawing, 'files' | 'cleanGreys' | 'to' | 'byCall' | 'header'>,
): boolean {
  const names = ['files', 'cleanGreys', 'to', 'byCall'] as const;
  if (names.some((name) => drawing[name] !== wanted[name])) return false;
  // The time is that of the drawing.
  return drawing.header?.sender === wanted.header?.sender;
}
