import type { MediaType, OfficeType } from '../../shared/document-types.ts';
import { sha256Hex } from '../platform/hash.ts';
import { createRecentCache } from '../platform/memoize.ts';
import { cleanPages } from './clean-pages.ts';
import { DocumentError } from './document-error.ts';
import { contentOf, linkDocument, sizeOf, writeDocument } from './document-files.ts';
import type { DocumentJobs, DocumentSource, PreparedDocument } from './jobs.ts';
import { createPixelBudget, documentTooLarge } from './limits.ts';
import { mediaTypeOf } from './media-type.ts';
import { nameSourceInErrors } from './name-source.ts';
import { officeMissing } from './office/office-errors.ts';
import { printLine } from './packet/print-line.ts';
import { applyEdits } from './page-edits/apply-edits.ts';
import type { PdfiumEngine } from './pdfium/engine.ts';
import { mergePdfs, pagesFrom } from './pdfium/merge-pdfs.ts';
import { openPdf } from './pdfium/opened-pdf.ts';
import { walkPage } from './pdfium/page-contents.ts';
import { placementOf } from './pdfium/render.ts';
import { pictureToPdf } from './pictures/picture-to-pdf.ts';
import { textToPdf } from './text/text-to-pdf.ts';
import { tiffToPdf } from './tiff/tiff-to-pdf.ts';

type Task = DocumentJobs['prepare']['task'];

const CACHE_SIZE = 200;
const PDF = 'application/pdf';

/**
 * Checks the sources, makes one PDF of them and writes it, not yet flushed. `onPage` is called for each page that is done.
 */
export async function prepareDocument(
  engine: PdfiumEngine,
  task: Task,
  onPage: () => void,
): Promise<PreparedDocument> {
  const { sources, outputPath, maxBytes } = task;
  if (sources.length === 0) throw new DocumentError('invalid', 'There is no document to send.');
  checkSizes(sources, maxBytes);
  const known = reuseCheckedPdf(task);
  if (known !== null) return known;
  const types: MediaType[] = [];
  const pdfs: CheckedPdf[] = [];
  let made = 0;
  for (const source of sources) {
    const named = async <T>(work: () => Promise<T>): Promise<T> =>
      sources.length === 1 ? await work() : await nameSourceInErrors(source, work);
    const type = await named(async () => mediaTypeOf(source));
    types.push(source.convertedFrom ?? type);
    const pdf = await named(() => toEditedPdf(engine, source, { ...task, type, onPage }));
    pdfs.push(pdf);
    made += pdf.bytes.length;
    if (made > maxBytes) throw documentTooLarge(maxBytes);
  }
  const whole = cutFromPage(engine, mergeAll(engine, pdfs), task.fromPage);
  const { bytes: clean, pages } = task.cleanGreys
    ? await cleanPages(engine, whole.bytes, maxBytes, onPage)
    : whole;
  const bytes = withLine(engine, clean, task);
  if (bytes.length > maxBytes) throw documentTooLarge(maxBytes);
  const untouched = bytes === pdfs[0]?.bytes && types[0] === 'application/pdf' && isSentAsItIs(sources[0]);
  const upload = untouched ? sources[0]! : null;
  const isUpload = upload !== null && linkDocument(upload, outputPath, task.seal !== null);
  if (!isUpload) writeDocument(outputPath, bytes, task.seal);
  return {
    path: outputPath,
    isUpload,
    sha256: (untouched && pdfs[0]?.sha256) || sha256Hex(bytes),
    sizeBytes: bytes.length,
    pages,
    mediaType: 'application/pdf',
    sourceMediaType: types.every((type) => type === types[0]) ? types[0]! : 'application/pdf',
  };
}

/** False for a file of which another one is made. */
const isSentAsItIs = (source: DocumentSource | undefined): boolean => !source?.edits;

function withLine(engine: PdfiumEngine, bytes: Uint8Array, { line, maxBytes }: Task): Uint8Array {
  return line === null ? bytes : engine.guard(() => printLine(engine, bytes, { ...line, maxBytes }));
}

interface CheckedPdf {
  bytes: Uint8Array;
  /** Of a PDF that came as one. */
  sha256?: string;
  /** Null until every page has been loaded. */
  pages: number | null;
}

function mergeAll(engine: PdfiumEngine, pdfs: CheckedPdf[]): { bytes: Uint8Array; pages: number } {
  const only = pdfs.length === 1 ? pdfs[0] : undefined;
  const all = pdfs.map((pdf) => pdf.bytes);
  const bytes = only?.bytes ?? engine.guard(() => mergePdfs(engine, all));
  return { bytes, pages: only?.pages ?? countPages(engine, bytes) };
}

/** The whole, or its pages from this one on. */
function cutFromPage(engine: PdfiumEngine, whole: { bytes: Uint8Array; pages: number }, from: number) {
  if (from <= 1) return whole;
  return { bytes: engine.guard(() => pagesFrom(engine, whole.bytes, from)), pages: whole.pages - from + 1 };
}

/** The number of pages of a PDF, every one of which can be loaded. */
export function countPages(engine: PdfiumEngine, bytes: Uint8Array): number {
  return engine.guard(() => {
    using pdf = openPdf(engine, bytes);
    for (let i = 0; i < pdf.pageCount; i++) pdf.withPage(i, (page) => pdf.pageSize(page));
    return pdf.pageCount;
  });
}

interface SourceOptions extends Pick<Task, 'maxBytes' | 'onlyFirst' | 'cleanGreys'> {
  readonly type: MediaType;
  readonly onPage: () => void;
}

/** The PDF of a source with the changes to its pages. */
async function toEditedPdf(
  engine: PdfiumEngine,
  source: DocumentSource,
  options: SourceOptions,
): Promise<CheckedPdf> {
  const pdf = await toCheckedPdf(engine, source, options);
  const { edits } = source;
  const { pictures = {} } = source;
  return edits ? await applyEdits(engine, pdf.bytes, edits, { ...options, pictures }) : pdf;
}

async function toCheckedPdf(
  engine: PdfiumEngine,
  source: DocumentSource,
  { type, maxBytes, onlyFirst, onPage }: SourceOptions,
): Promise<CheckedPdf> {
  const bytes = contentOf(source);
  switch (type) {
    case 'application/pdf':
      return checkedPdf(engine, { bytes, sha256: source.digest ?? sha256Hex(bytes) }, onPage);
    case 'text/plain':
      return { bytes: textToPdf(bytes, maxBytes), pages: null };
    case 'image/tiff':
      return { bytes: await tiffToPdf(bytes, { maxBytes, onlyFirst, onPage }), pages: null };
    case 'image/png':
      return { bytes: await pictureToPdf(bytes, 'PNG', maxBytes), pages: null };
    case 'image/jpeg':
      return { bytes: await pictureToPdf(bytes, 'JPEG', maxBytes), pages: null };
    default:
      throw officeMissing(type satisfies OfficeType);
  }
}

/**
 * Cache of PDFs whose every page can be drawn, by digest, with their page counts only: many faxes are the same document
 * for one recipient after another.
 */
const goodPdfs = createRecentCache<{ pages: number }>(CACHE_SIZE);

/** Loads every page of a PDF. Throws a DocumentError for one that cannot be faxed. */
export function checkedPdf(
  engine: PdfiumEngine,
  { bytes, sha256 }: { bytes: Uint8Array; sha256: string },
  onPage: () => void,
): CheckedPdf {
  const known = goodPdfs.get(sha256);
  if (known) return { bytes, sha256, ...known };
  return engine.guard(() => {
    using pdf = openPdf(engine, bytes);
    const countPixels = createPixelBudget();
    for (let i = 0; i < pdf.pageCount; i++) {
      pdf.withPage(i, (page) => {
        placementOf(pdf, page);
        countPixels(walkPage(pdf, page, i + 1, { tinyPt: 0, checkFonts: true }).pixels);
      });
      onPage();
    }
    goodPdfs.set(sha256, { pages: pdf.pageCount });
    return { bytes, sha256, pages: pdf.pageCount };
  });
}

/** A single PDF that was seen before gets its second name without being read again; null where that cannot be done. */
function reuseCheckedPdf({
  sources,
  outputPath,
  cleanGreys,
  fromPage: from,
  line,
  seal,
}: Task): PreparedDocument | null {
  const [only, second] = sources;
  if (
    only?.digest === undefined ||
    second !== undefined ||
    cleanGreys ||
    from > 1 ||
    !isSentAsItIs(only) ||
    line !== null
  )
    return null;
  const known = goodPdfs.get(only.digest);
  if (!known || mediaTypeOf(only) !== PDF || !linkDocument(only, outputPath, seal !== null)) return null;
  return {
    path: outputPath,
    isUpload: true,
    sha256: only.digest,
    sizeBytes: sizeOf(only),
    pages: known.pages,
    mediaType: PDF,
    sourceMediaType: PDF,
  };
}

/** Throws a DocumentError when the files are larger together than `maxBytes`. */
export function checkSizes(sources: DocumentSource[], maxBytes: number): void {
  let total = 0;
  for (const source of sources) total += sizeOf(source);
  if (total > maxBytes) throw documentTooLarge(maxBytes);
}
