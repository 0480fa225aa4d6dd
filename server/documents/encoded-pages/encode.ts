import { DocumentError } from '../document-error.ts';
import { readDocument, writeDocument } from '../document-files.ts';
import type { DocumentJobs, EncodedEstimate } from '../jobs.ts';
import { createPdfWriter } from '../pdf/pdf-writer.ts';
import { addPicturePage, writeOneBitPicture } from '../pdf/picture-page.ts';
import type { PdfiumEngine } from '../pdfium/engine.ts';
import type { OneBitPage } from '../t4/one-bit-page.ts';
import { cleanFileName } from './clean-file-name.ts';
import { countPages, dividePages } from './divide-pages.ts';
import { drawEncodedPage } from './draw-page.ts';
import { type SealedBody, sealBody } from './message-body.ts';
import { MAX_SEQUENCE } from './page-header.ts';
import { tileRowsFor } from './page-layout.ts';
import { drawWords } from './word-band.ts';

const pointsAcross = 72 / 204;
const pointsDown = 72 / 196;

/** Computes the pages and bytes that a document takes, without drawing any. More pages than can be sent are counted as well. */
export function estimateEncoded(task: DocumentJobs['estimateEncoded']['task']): EncodedEstimate {
  return countPages(sealDocument(task, NO_MESSAGE).sealed.length, task.paper);
}

/** The message id has no influence on the length. */
const NO_MESSAGE = '0'.repeat(32);

function sealDocument(task: DocumentJobs['estimateEncoded']['task'], messageId: string): SealedBody {
  const bytes = readDocument(task.documentPath);
  const document = { bytes, name: cleanFileName(task.name), mediaType: task.mediaType };
  return sealBody(document, messageId, task.key);
}

/** Draws a document as encoded pages and writes them as a PDF that our raster draws dot by dot. */
export function encodePages(
  engine: PdfiumEngine,
  task: DocumentJobs['encodePages']['task'],
  onPage: () => void,
): EncodedEstimate {
  if (!/^[0-9a-f]{32}$/u.test(task.messageId)) throw new Error('a message id is 32 hex digits');
  const body = sealDocument(task, task.messageId);
  const counts = countPages(body.sealed.length, task.paper);
  const most = Math.min(task.cap, MAX_SEQUENCE);
  if (counts.pages > most)
    throw new DocumentError(
      'too_large',
      `The document needs ${counts.pages} encoded pages, and at most ${most} can be sent.`,
    );
  const writer = createPdfWriter();
  for (const { bytes, index } of dividePages(body, task.messageId, task.paper)) {
    const page = drawEncodedPage(bytes, tileRowsFor(bytes.length), task.paper);
    const name = body.isEncrypted ? null : cleanFileName(task.name);
    drawWords(engine, page, { page: index + 1, pages: counts.pages, name, sender: task.words.sender });
    addPage(writer, page);
    onPage();
  }
  writeDocument(task.outputPath, writer.finish(), task.seal);
  return counts;
}

function addPage(writer: ReturnType<typeof createPdfWriter>, page: OneBitPage): void {
  const [widthPt, heightPt] = [page.width * pointsAcross, page.height * pointsDown];
  const box = { x: 0, y: 0, width: widthPt, height: heightPt };
  addPicturePage(writer, writeOneBitPicture(writer, page), { widthPt, heightPt }, box);
}
