import type { OpenedPdf } from './opened-pdf.ts';

/** A part of a page in shares of its width and height as it is shown, from its upper left corner. */
interface PageShare {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Fineness of the places on a page. */
const GRID = 1_000_000;

/**
 * Turns page `index` (from 0) clockwise and cuts it to `crop`, a part of the page as it is turned: only in memory, for the
 * drawing that follows.
 */
export function turnAndCut(
  pdf: OpenedPdf,
  index: number,
  { turn, crop }: { readonly turn: number; readonly crop: PageShare | null },
): void {
  const { lib } = pdf.engine;
  if (turn !== 0)
    pdf.withPage(index, (page) =>
      lib.FPDFPage_SetRotation(page, (lib.FPDFPage_GetRotation(page) + turn / 90) % 4),
    );
  if (crop === null) return;
  pdf.withPage(index, (page) => {
    const [left, top] = pagePoint(pdf, page, crop.x, crop.y);
    const [right, bottom] = pagePoint(pdf, page, crop.x + crop.width, crop.y + crop.height);
    lib.FPDFPage_SetCropBox(
      page,
      Math.min(left, right),
      Math.min(top, bottom),
      Math.max(left, right),
      Math.max(top, bottom),
    );
  });
}

/** Returns a place of a page as it is shown in the coordinates of its contents. */
function pagePoint(pdf: OpenedPdf, page: number, x: number, y: number): [number, number] {
  const { lib } = pdf.engine;
  return pdf.engine.withScratch(16, (pointer) => {
    const [across, down] = [Math.round(x * GRID), Math.round(y * GRID)];
    lib.FPDF_DeviceToPage(page, 0, 0, GRID, GRID, 0, across, down, pointer, pointer + 8);
    const view = pdf.engine.view();
    return [view.getFloat64(pointer, true), view.getFloat64(pointer + 8, true)];
  });
}
