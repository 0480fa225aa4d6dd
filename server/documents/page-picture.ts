import { DocumentError } from './document-error.ts';
import { readDocument } from './document-files.ts';
import type { DocumentJobs } from './jobs.ts';
import type { PdfiumEngine } from './pdfium/engine.ts';
import { openPdf } from './pdfium/opened-pdf.ts';
import { walkPage } from './pdfium/page-contents.ts';
import { withRenderedPage } from './pdfium/render.ts';
import { greyPng } from './raster/png.ts';

const maxPx = 12_000;

/** A grey PNG of one page, `widthPx` wide in true proportions, for the screen. */
export async function pagePicture(
  engine: PdfiumEngine,
  task: DocumentJobs['pagePicture']['task'],
): Promise<Uint8Array> {
  const bytes = readDocument(task.pdfPath);
  return engine.guard(() => {
    using pdf = openPdf(engine, bytes);
    if (task.page < 1 || task.page > pdf.pageCount) {
      throw new DocumentError('invalid', `The document has no page ${task.page}.`);
    }
    return pdf.withPage(task.page - 1, (page) => {
      walkPage(pdf, page, task.page, { tinyPt: 0, checkFonts: false });
      const { widthPt, heightPt } = pdf.pageSize(page);
      const width = Math.max(1, Math.round(task.widthPx));
      const height = Math.max(1, Math.min(maxPx, Math.round((width * heightPt) / widthPt)));
      const placement = { lines: height, left: 0, top: 0, width, height, scale: 1 };
      return withRenderedPage(pdf, page, placement, greyPng, width);
    });
  });
}
