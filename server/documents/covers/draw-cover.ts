import type { DocumentJobs } from '../jobs.ts';
import type { PdfiumEngine } from '../pdfium/engine.ts';
import { openPdf } from '../pdfium/opened-pdf.ts';
import { faxPages } from '../raster/fax-pages.ts';
import { oneBitPng } from '../raster/png.ts';
import { fillCoverForm } from './cover-form.ts';
import { drawCoverPage } from './cover-page.ts';

/** Composes a cover page and returns it as a PDF, or as a PNG of what the receiving machine prints. */
export async function drawCover(
  engine: PdfiumEngine,
  { content, output }: DocumentJobs['cover']['task'],
): Promise<Uint8Array> {
  const pdf =
    content.kind === 'page'
      ? await drawCoverPage(content)
      : engine.guard(() => fillCoverForm(engine, content.file, content.values));
  if (output === 'pdf') return pdf;
  using opened = engine.guard(() => openPdf(engine, pdf));
  for await (const { page } of faxPages(opened, { headerLine: null, cleanGreys: false }))
    return oneBitPng(page);
  throw new Error('a cover page has a page');
}
