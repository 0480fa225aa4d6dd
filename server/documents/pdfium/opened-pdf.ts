import { DocumentError } from '../document-error.ts';
import { maxPages, tooManyPages } from '../limits.ts';
import type { PdfiumEngine } from './engine.ts';

/** FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY. */
const passwordError = 4;
const securityError = 5;

/** Opens `bytes`. Throws a DocumentError when it is damaged, locked, without pages or longer than the page limit. */
export function openPdf(engine: PdfiumEngine, bytes: Uint8Array): OpenedPdf {
  const data = engine.allocate(bytes.length);
  engine.bytes(data, bytes.length).set(bytes);
  const handle = engine.lib.FPDF_LoadMemDocument(data, bytes.length, '');
  if (handle === 0) {
    const reason = engine.lib.FPDF_GetLastError();
    engine.free(data);
    throw openError(reason);
  }
  const pdf = new OpenedPdf(engine, data, bytes.length, handle);
  if (pdf.pageCount >= 1 && pdf.pageCount <= maxPages) return pdf;
  pdf[Symbol.dispose]();
  if (pdf.pageCount > maxPages) throw new DocumentError('too_large', tooManyPages());
  throw new DocumentError('invalid', 'The PDF has no pages.');
}

export type { OpenedPdf };

/** A PDF open in the engine. Every pointer PDFium returns is checked: a page that cannot be loaded is an error. */
class OpenedPdf implements Disposable {
  readonly engine: PdfiumEngine;
  readonly handle: number;
  readonly pageCount: number;
  readonly #data: number;
  readonly #length: number;
  #mayHaveMasks: boolean | undefined;

  constructor(engine: PdfiumEngine, data: number, length: number, handle: number) {
    this.engine = engine;
    this.#length = length;
    this.#data = data;
    this.handle = handle;
    this.pageCount = engine.lib.FPDF_GetPageCount(handle);
  }

  /**
   * Returns true when the file has pictures with masks or inverted tones; the keys of pictures are never compressed.
   */
  get mayHaveMasks(): boolean {
    if (this.#mayHaveMasks !== undefined) return this.#mayHaveMasks;
    const { buffer, byteOffset, byteLength } = this.engine.bytes(this.#data, this.#length);
    const file = Buffer.from(buffer, byteOffset, byteLength);
    const found = ['/SMask', '/Mask', '/Decode[', '/Decode ', '/Decode\n', '/Decode\r'].some((key) =>
      file.includes(key),
    );
    this.#mayHaveMasks = found;
    return found;
  }

  /** Loads page `index`, counted from 0, for the time of `work`. */
  withPage<T>(index: number, work: (page: number) => T): T {
    const { lib } = this.engine;
    const page = lib.FPDF_LoadPage(this.handle, index);
    if (page === 0) throw new DocumentError('invalid', `Page ${index + 1} of the PDF is damaged.`);
    try {
      return work(page);
    } finally {
      if (!this.engine.isBroken) lib.FPDF_ClosePage(page);
    }
  }

  /** Width and height of a loaded page in points, as it is shown (rotation applied). */
  pageSize(page: number): { widthPt: number; heightPt: number } {
    const widthPt = this.engine.lib.FPDF_GetPageWidthF(page);
    const heightPt = this.engine.lib.FPDF_GetPageHeightF(page);
    if (!(widthPt > 0 && heightPt > 0)) throw new DocumentError('invalid', 'A page of the PDF has no size.');
    return { widthPt, heightPt };
  }

  [Symbol.dispose](): void {
    if (this.engine.isBroken) return;
    this.engine.lib.FPDF_CloseDocument(this.handle);
    this.engine.free(this.#data);
  }
}

function openError(reason: number): DocumentError {
  if (reason === passwordError) {
    return new DocumentError(
      'invalid',
      'The PDF is protected by a password. Save it without one and send it again.',
    );
  }
  if (reason === securityError) {
    return new DocumentError('unsupported', 'The PDF is encrypted in a way that cannot be read.');
  }
  return new DocumentError('invalid', 'The PDF is damaged or incomplete.');
}
