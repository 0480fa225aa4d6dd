import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backend } from '../../../../shared/backends.ts';
import type { HeaderOwnForm } from '../../../../shared/header-line.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { callSeconds, type HeaderWords, type PreviewPage } from '../../../documents/documents.ts';
import { errorCode } from '../../../platform/errors.ts';
import { type FileToRead, openBytes } from '../../../platform/file-cipher.ts';
import { newId } from '../../../platform/ids.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { refuseBadDocuments } from '../accept/document-refusal.ts';
import { createKeyedMutex } from '../accept/idempotency.ts';
import { noSuchPage, previewExpired, previewNotDrawn } from '../errors.ts';
import type { PreviewFiles } from './preview-files.ts';

/** A turn ends with the page after this time; opening a large document anew for each takes a twentieth of it. */
const TURN_MS = 700;
/** Time that an unwanted page may still take before its worker is ended. */
const STOP_MS = 1_000;

/**
 * The previews that are being drawn take turns: a letter does not wait behind two hundred pages, and of the worker threads
 * one is always left for faxes that are being accepted.
 */
export function createDrawingTurns(): DrawingTurns {
  return new DrawingTurns();
}

class DrawingTurns {
  readonly #mutex = createKeyedMutex();

  async take<T>(work: () => Promise<T>): Promise<T> {
    return this.#mutex.run('drawing', work);
  }
}

/** The header line of a preview. */
export interface PreviewHeader {
  readonly words: HeaderWords;
  /** Its text beside time and page. */
  readonly sender: string;
  readonly hasRecipient: boolean;
  /** Backend of the transport that prints it; null while there is none. */
  readonly backend: Backend | null;
  /** Parts that the transport prints in its own format. */
  readonly ownForm: readonly HeaderOwnForm[];
}

export interface DrawingOptions {
  readonly directory: string;
  readonly header: PreviewHeader | null;
  /** E.164 of the recipient; null while unknown. */
  readonly to: string | null;
  /** A call is placed even to a number of our own. */
  readonly byCall: boolean;
  readonly cleanGreys: boolean;
}

/** The pages of one preview on their way to the disk, in order. */
export function createPreviewDrawing(
  files: PreviewFiles,
  options: DrawingOptions,
  turns: DrawingTurns,
): PreviewDrawing {
  return new PreviewDrawing(files, options, turns);
}

export type { PreviewDrawing };

class PreviewDrawing {
  readonly id = newId();
  readonly files: PreviewFiles;
  readonly cleanGreys: boolean;
  readonly header: PreviewHeader | null;
  /** E.164 of the recipient in the header line; null while unknown. */
  readonly to: string | null;
  readonly byCall: boolean;
  readonly pages: PreviewPage[] = [];
  /** Error that ended the drawing, or null. */
  failure: unknown = null;
  isComplete = false;
  /** Nothing more of it is drawn. */
  isStopped = false;
  /** Never rejects. */
  readonly finished: Promise<void>;
  readonly #options: DrawingOptions;
  readonly #directory: string;
  readonly #abort = new AbortController();
  #step = Promise.withResolvers<void>();

  constructor(files: PreviewFiles, options: DrawingOptions, turns: DrawingTurns) {
    this.files = files;
    this.cleanGreys = options.cleanGreys;
    this.header = options.header;
    this.to = options.to;
    this.byCall = options.byCall;
    this.#options = options;
    this.#directory = join(options.directory, this.id);
    this.finished = this.#draw(turns)
      .catch((error: unknown) => {
        this.failure = error;
      })
      .finally(() => this.#notifyWaiters());
  }

  /** Expected duration of the call in seconds; null until every page is drawn. */
  get seconds(): number | null {
    if (!this.isComplete) return null;
    return Math.round(callSeconds(this.pages.map((page) => page.encodedBytes)));
  }

  /** Returns the picture of page `number` from 1, as soon as it is drawn. Throws a refusal. */
  async page(number: number): Promise<Uint8Array> {
    if (number > this.files.pages) throw noSuchPage({ page: number, pages: this.files.pages });
    if (this.pages.length < number) await this.#waitForPage(number);
    const path = join(this.#directory, `page-${String(number).padStart(4, '0')}.png`);
    const picture = await readFile(path).catch((error: unknown) => {
      // ENOENT: the preview was removed just now.
      throw errorCode(error) === 'ENOENT' ? previewExpired() : error;
    });
    const { seal } = this.files;
    return seal === null ? picture : openBytes(seal.key, picture);
  }

  /** Draws no further and removes what was drawn. */
  async remove(): Promise<void> {
    this.isStopped = true;
    this.#notifyWaiters();
    const timer = setTimeout(() => this.#abort.abort(), STOP_MS);
    await Promise.all([this.finished, this.files.release()]);
    clearTimeout(timer);
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #draw(turns: DrawingTurns): Promise<void> {
    await makeFolder(this.#directory);
    await this.#drawBeginning(turns);
    const pdf = await this.files.toDraw(this.cleanGreys);
    while (this.pages.length < this.files.pages && !this.isStopped) {
      const before = this.pages.length;
      await turns.take(() => this.#drawPages(pdf));
      if (this.pages.length === before && !this.isStopped)
        throw new Error('the document has fewer pages than were counted');
    }
    if (this.isStopped) return;
    // The original as well, which is kept beside changed pages: a fault in it is found here.
    await this.files.upload.prepared(false);
    this.isComplete = true;
    // Prepares the document that a fax of this preview will send; the person who views the pages does not wait for it.
    if (this.cleanGreys && !this.isStopped) await this.files.prepared(true);
  }

  /** Draws the first page before all files are one PDF. A fault in a file is reported with the whole, which names it. */
  async #drawBeginning(turns: DrawingTurns): Promise<void> {
    try {
      const pdf = await this.files.beginning();
      if (pdf !== null) await turns.take(() => this.#drawPages(pdf));
    } catch {
      return;
    }
  }

  async #drawPages(pdf: FileToRead): Promise<void> {
    if (this.isStopped) return;
    const { header, cleanGreys } = this.#options;
    const drawing = this.files.work.preview(pdf, this.#directory, {
      headerLine: header?.words ?? null,
      cleanGreys,
      compareGreys: true,
      pageCount: this.files.pages,
      from: this.pages.length + 1,
      maxMs: TURN_MS,
      seal: this.files.seal,
      signal: this.#abort.signal,
      onPage: (page) => {
        this.pages.push(page);
        this.#notifyWaiters();
      },
    });
    await refuseBadDocuments(drawing);
  }

  /** Waits until the page is drawn. */
  async #waitForPage(number: number): Promise<void> {
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), LIMITS.previewPageSeconds * 1000);
    try {
      while (this.pages.length < number) {
        if (this.isStopped) throw previewExpired();
        if (this.failure !== null) throw this.failure;
        if ((await Promise.race([this.#step.promise, late.promise])) === 'late') throw previewNotDrawn();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #notifyWaiters(): void {
    this.#step.resolve();
    this.#step = Promise.withResolvers<void>();
  }
}
