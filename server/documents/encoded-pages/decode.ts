import { DocumentError } from '../document-error.ts';
import { readDocument, writeDocument } from '../document-files.ts';
import type { DecodedDocument, DecodedPages, DocumentJobs } from '../jobs.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { PdfiumEngine } from '../pdfium/engine.ts';
import { type OpenedPdf, openPdf } from '../pdfium/opened-pdf.ts';
import { walkPage } from '../pdfium/page-contents.ts';
import { placementOf, withRenderedPage } from '../pdfium/render.ts';
import { cleanFileName } from './clean-file-name.ts';
import { type CollectedMessage, createPageCollection, joinParts } from './collect-pages.ts';
import { type NamedDocument, openBody } from './message-body.ts';
import { type ReadPage, readEncodedPage } from './read-page.ts';

/** Pages at the beginning that are looked at in any case: up to two ordinary ones may come before the encoded ones. */
const FIRST_PAGES = 3;
/** Pages beyond those of the message that are looked at, for ordinary ones and repeated ones. */
const EXTRA_PAGES = 16;
/** Pixels of all pictures of an encoded page: with 204 x 98 per inch it has 1.8 million. Other pages need not be drawn. */
const LEAST_PIXELS = 1_000_000;
/** A picture that comes in strips of eight lines has 300 of them; a drawing has thousands of objects. */
const MOST_OBJECTS = 2000;
const OTHER_TYPE = 'application/octet-stream';

/**
 * Reads the document that encoded pages carry and writes it. The first three pages and the last one decide: when none of
 * them is an encoded page, no other is looked at.
 */
export function decodePages(
  engine: PdfiumEngine,
  task: DocumentJobs['decodePages']['task'],
  onPage: () => void,
): DecodedPages {
  const bytes = readDocument(task.pdfPath);
  const found = engine.guard(() => {
    using pdf = openPdf(engine, bytes);
    return findMessage(pdf, onPage);
  });
  if (found === null) return { state: 'none' };
  const { message, isComplete, pages } = found;
  const { header, parts } = message;
  const about = { messageId: header.messageId, isEncrypted: header.isEncrypted, encodedPages: pages };
  if (!isComplete) return { state: 'incomplete', have: parts.size, need: header.dataPages, ...about };
  const opened = openBody(joinParts(message), header, task.keys, task.maxBytes);
  if (typeof opened === 'string') return { state: opened, ...about };
  writeDocument(task.outputPath, opened.document.bytes, task.seal);
  const document = describe(opened.document, { path: task.outputPath, sha256: opened.sha256 });
  return { state: 'decoded', document, keyIndex: opened.keyIndex, ...about };
}

interface FoundMessage {
  message: CollectedMessage;
  isComplete: boolean;
  /** Numbers of the encoded pages that were read, from 1. */
  pages: number[];
}

function findMessage(pdf: OpenedPdf, onPage: () => void): FoundMessage | null {
  const collection = createPageCollection();
  const pages: number[] = [];
  let most = pdf.pageCount;
  let looked = 0;
  for (const index of pageOrder(pdf.pageCount)) {
    if (looked >= most || (pages.length === 0 && looked > FIRST_PAGES)) break;
    const page = lookAtPage(pdf, index);
    looked++;
    onPage();
    if (page === null) continue;
    pages.push(index + 1);
    const { dataPages, parityPages } = page.header;
    if (pages.length === 1) most = 2 * (dataPages + parityPages) + EXTRA_PAGES;
    const message = collection.add(page);
    if (message !== null) return { message, isComplete: true, pages: pages.sort((a, b) => a - b) };
  }
  const message = collection.largest();
  return message && { message, isComplete: false, pages: pages.sort((a, b) => a - b) };
}

/** Indexes in the order in which the pages are looked at: the first ones, the last one, then the others. */
function pageOrder(pageCount: number): number[] {
  const indexes = Array.from({ length: pageCount }, (_, index) => index);
  const last = indexes.splice(FIRST_PAGES).pop();
  if (last === undefined) return indexes;
  const others = Array.from({ length: pageCount - FIRST_PAGES - 1 }, (_, i) => FIRST_PAGES + i);
  return [...indexes, last, ...others];
}

/** A page that cannot be drawn is no encoded page. */
function lookAtPage(pdf: OpenedPdf, index: number): ReadPage | null {
  try {
    return pdf.withPage(index, (page) => {
      if (pdf.engine.lib.FPDFPage_CountObjects(page) > MOST_OBJECTS) return null;
      const { pixels } = walkPage(pdf, page, index + 1, { tinyPt: 0, checkFonts: false });
      if (pixels < LEAST_PIXELS) return null;
      return withRenderedPage(pdf, page, placementOf(pdf, page), readEncodedPage);
    });
  } catch (error) {
    if (error instanceof DocumentError && !pdf.engine.isBroken && error.cause === undefined) return null;
    throw error;
  }
}

function describe(
  { bytes, name, mediaType }: NamedDocument,
  written: { path: string; sha256: string },
): DecodedDocument {
  return {
    ...written,
    name: cleanFileName(name),
    mediaType: verifiedType(bytes, mediaType),
    sizeBytes: bytes.length,
  };
}

/** The declared type, where the content is of it; otherwise the type of bytes that no program opens by itself. */
function verifiedType(bytes: Uint8Array, declared: string): string {
  try {
    const found = mediaTypeOf({ bytes, fileName: '', declaredType: declared });
    return found === declared ? found : OTHER_TYPE;
  } catch (error) {
    if (error instanceof DocumentError) return OTHER_TYPE;
    throw error;
  }
}
