import { DocumentError } from '../document-error.ts';
import { faxWidth, maxLines, type Placement, placePage } from '../raster/page-geometry.ts';
import type { GreyPage } from '../raster/threshold.ts';
import type { OpenedPdf } from './opened-pdf.ts';

/** FPDFBitmap_Gray: rendering into grey takes less than half the time of BGRx. */
const greyFormat = 1;
/** FPDF_ANNOT and FPDF_PRINTING: form fields and stamps, as they are printed. */
const printFlags = 0x01 | 0x800;
const white = 255;

/** Returns the position of a loaded page on the fax raster. */
export function placementOf(pdf: OpenedPdf, page: number): Placement {
  const { widthPt, heightPt } = pdf.pageSize(page);
  const placement = placePage(widthPt, heightPt);
  if (placement.height > maxLines)
    throw new DocumentError('too_large', 'A page of the document is too long for a fax.');
  return placement;
}

/**
 * Renders a loaded page into a gray raster, 1728 wide by default, and passes it to `work`. The pixels are in the
 * engine's memory and are gone afterwards.
 */
export function withRenderedPage<T>(
  pdf: OpenedPdf,
  page: number,
  placement: Placement,
  work: (grey: GreyPage) => T,
  width = faxWidth,
): T {
  const { engine } = pdf;
  const { lib } = engine;
  // Memory of ours is made white once; PDFium would clear its own first.
  const stride = (width + 3) & ~3;
  const buffer = engine.allocate(stride * placement.lines);
  try {
    engine.bytes(buffer, stride * placement.lines).fill(white);
    const bitmap = lib.FPDFBitmap_CreateEx(width, placement.lines, greyFormat, buffer, stride);
    if (bitmap === 0) throw new DocumentError('too_large', 'A page of the document is too large.');
    try {
      lib.FPDF_RenderPageBitmap(
        bitmap,
        page,
        placement.left,
        placement.top,
        placement.width,
        placement.height,
        placement.isTurned === true ? 1 : 0,
        printFlags,
      );
    } finally {
      if (!engine.isBroken) lib.FPDFBitmap_Destroy(bitmap);
    }
    const rows = engine.bytes(buffer, stride * placement.lines);
    return work({ width, height: placement.lines, pixels: withoutPadding(rows, width, stride) });
  } finally {
    engine.free(buffer);
  }
}

/** Returns the rows without the bytes that fill each up to a word; copied only where there are some. */
function withoutPadding(rows: Uint8Array, width: number, stride: number): Uint8Array {
  if (stride === width) return rows;
  const height = rows.length / stride;
  const packed = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) packed.set(rows.subarray(y * stride, y * stride + width), y * width);
  return packed;
}
