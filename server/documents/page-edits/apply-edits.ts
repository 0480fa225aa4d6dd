import type { EditedPage } from '../../../shared/page-edits.ts';
import { DocumentError } from '../document-error.ts';
import { createPdfWriter } from '../pdf/pdf-writer.ts';
import { writeOneBitPicture } from '../pdf/picture-page.ts';
import type { PdfiumEngine } from '../pdfium/engine.ts';
import { type OpenedPdf, openPdf } from '../pdfium/opened-pdf.ts';
import { placementOf } from '../pdfium/render.ts';
import { turnAndCut } from '../pdfium/turn-and-cut.ts';
import { faxPages } from '../raster/fax-pages.ts';
import type { Placement } from '../raster/page-geometry.ts';
import { createMarkWriter } from './draw-marks.ts';
import { createPicturePen } from './draw-picture.ts';
import { fillBox } from './fill-box.ts';
import { onCutPage } from './place-box.ts';

interface EditOptions {
  readonly cleanGreys: boolean;
  readonly maxBytes: number;
  /** By the ID with which the changes name them. */
  readonly pictures: Readonly<Record<string, Uint8Array>>;
  readonly onPage: () => void;
}

/**
 * Draws the named pages of a PDF anew, in order, as the fax prints them, with what is put on them. The result has nothing
 * of the original but the dots that show: no text, picture, form, attachment or description of what is covered or left out.
 */
export async function applyEdits(
  engine: PdfiumEngine,
  bytes: Uint8Array,
  edits: readonly EditedPage[],
  { cleanGreys, maxBytes, pictures, onPage }: EditOptions,
): Promise<{ bytes: Uint8Array; pages: number }> {
  const writer = createPdfWriter(maxBytes);
  const marks = createMarkWriter();
  const pen = createPicturePen(pictures);
  using pdf = engine.guard(() => openPdf(engine, bytes));
  const missing = edits.find(({ page }) => page > pdf.pageCount);
  if (missing) throw noSuchPage(missing.page, pdf.pageCount);
  for (const edit of edits) {
    const placement = engine.guard(() => turnedPlacement(pdf, edit));
    const { page } = await drawn(pdf, edit.page, cleanGreys);
    for (const mark of edit.marks) {
      if ('picture' in mark) await pen.draw(page, { mark, crop: edit.crop, placement });
      if (mark.kind !== 'redact' && mark.kind !== 'whiteout') continue;
      const box = onCutPage(mark.box, edit.crop);
      if (box !== null) fillBox(page, { box, placement, isBlack: mark.kind === 'redact' });
    }
    marks.addPage(writeOneBitPicture(writer, page), page, { edit, placement });
    onPage();
  }
  marks.finish(writer);
  return { bytes: writer.finish(), pages: edits.length };
}

function turnedPlacement(pdf: OpenedPdf, edit: EditedPage): Placement {
  const index = edit.page - 1;
  turnAndCut(pdf, index, edit);
  return pdf.withPage(index, (page) => placementOf(pdf, page));
}

async function drawn(pdf: OpenedPdf, number: number, cleanGreys: boolean) {
  for await (const page of faxPages(pdf, { headerLine: null, cleanGreys }, number)) return page;
  throw noSuchPage(number, pdf.pageCount);
}

function noSuchPage(page: number, pages: number): DocumentError {
  return new DocumentError(
    'invalid',
    `Page ${page} was to be changed, but the document has ${pages === 1 ? '1 page' : `${pages} pages`}.`,
  );
}
