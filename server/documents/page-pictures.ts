import { DocumentError } from './document-error.ts';
import { readDocument } from './document-files.ts';
import type { DocumentJobs } from './jobs.ts';
import type { PdfiumEngine } from './pdfium/engine.ts';
import { type OpenedPdf, openPdf } from './pdfium/opened-pdf.ts';
import { walkPage } from './pdfium/page-contents.ts';
import { withRenderedPage } from './pdfium/render.ts';
import { greyPng } from './raster/png.ts';

const maxPx = 12_000;

/** Draws pages as grey PNGs, `widthPx` wide in true proportions. Throws when the first of them cannot be drawn. */
export async function drawPagePictures(
  engine: PdfiumEngine,
  { pdfPath, pages, widthPx }: DocumentJobs['pagePictures']['task'],
): Promise<(Uint8Array | null)[]> {
  const bytes = readDocument(pdfPath);
  return engine.guard(() => {
    using pdf = openPdf(engine, bytes);
    return pages.map((page, index) => {
      try {
        return drawPage(pdf, page, widthPx);
      } catch (error) {
        if (index === 0 || !(error instanceof DocumentError)) throw error;
        return null;
      }
    });
  });
}

function drawPage(pdf: OpenedPdf, number: number, widthPx: number): Uint8Array {
  if (number < 1 || number > pdf.pageCount) {
    throw new DocumentError('invalid', `The document has no page ${number}.`);
  }
  return pdf.withPage(number - 1, (page) => {
    walkPage(pdf, page, number, { tinyPt: 0, checkFonts: false });
    const { widthPt, heightPt } = pdf.pageSize(page);
    const width = Math.max(1, Math.round(widthPx));
    const height = Math.max(1, Math.min(maxPx, Math.round((width * heightPt) / widthPt)));
    const placement = { lines: height, left: 0, top: 0, width, height, scale: 1 };
    return withRenderedPage(pdf, page, placement, greyPng, width);
  });
}
