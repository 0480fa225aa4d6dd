import { createPdfWriter } from './pdf/pdf-writer.ts';
import { addPicturePage, writeOneBitPicture } from './pdf/picture-page.ts';
import type { PdfiumEngine } from './pdfium/engine.ts';
import { openPdf } from './pdfium/opened-pdf.ts';
import { faxPages } from './raster/fax-pages.ts';

const pointsAcross = 72 / 204;
const pointsDown = 72 / 196;

/**
 * Draws the pages of a PDF in black and white with their grays cleaned, at the size and resolution of a fax, so that
 * drawing them for the line changes no dot. Without a header line: the sending transport adds it.
 */
export async function cleanPages(
  engine: PdfiumEngine,
  bytes: Uint8Array,
  maxBytes: number,
  onPage: () => void,
): Promise<{ bytes: Uint8Array; pages: number }> {
  const writer = createPdfWriter(maxBytes);
  using pdf = engine.guard(() => openPdf(engine, bytes));
  for await (const { page } of faxPages(pdf, { headerLine: null, cleanGreys: true })) {
    const [widthPt, heightPt] = [page.width * pointsAcross, page.height * pointsDown];
    const box = { x: 0, y: 0, width: widthPt, height: heightPt };
    addPicturePage(writer, writeOneBitPicture(writer, page), { widthPt, heightPt }, box);
    onPage();
  }
  return { bytes: writer.finish(), pages: pdf.pageCount };
}
