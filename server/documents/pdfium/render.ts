import { DocumentError } from '../document-error.ts';
import { faxWidth, maxLines, type Placement, placePage } from '../raster/page-geometry.ts';
import type { GreyPage } from '../raster/threshold.ts';
import type { PdfiumEngine } from './engine.ts';
import type { OpenedPdf } from './opened-pdf.ts';

/** FPDFBitmap_Gray: rendering into grey takes less than half the time of BGRx. */
const greyFormat = 1;
/** FPDF_ANNOT and FPDF_PRINTING: form fields and stamps, as they are printed. */
const printFlags = 0x01 | 0x800;
const white = 0xffffffff;

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
  const bitmap = lib.FPDFBitmap_CreateEx(width, placement.lines, greyFormat, 0, 0);
  if (bitmap === 0) throw new DocumentError('too_large', 'A page of the document is too large.');
  try {
    lib.FPDFBitmap_FillRect(bitmap, 0, 0, width, placement.lines, white);
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
    const pixels = rowsOf(engine, bitmap, width, placement.lines);
    return work({ width, height: placement.lines, pixels });
  } finally {
    if (!engine.isBroken) lib.FPDFBitmap_Destroy(bitmap);
  }
}

/** The pixels of a grey bitmap; copied only when PDFium has padded its rows. */
function rowsOf(engine: PdfiumEngine, bitmap: number, width: number, height: number): Uint8Array {
  const stride = engine.lib.FPDFBitmap_GetStride(bitmap);
  const pixels = engine.bytes(engine.lib.FPDFBitmap_GetBuffer(bitmap), stride * height);
  if (stride === width) return pixels;
  const packed = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) packed.set(pixels.subarray(y * stride, y * stride + width), y * width);
  return packed;
}
