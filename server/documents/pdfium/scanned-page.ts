import type { OpenedPdf } from './opened-pdf.ts';

/** Page that contains one JPEG and nothing else, as scanners write it. */
export interface ScannedPage {
  jpeg: Buffer;
  /** Pixels by the PDF; the JPEG itself may have others. */
  width: number;
  height: number;
  /** Position of the picture, in shares of the page from its upper left corner. */
  box: { left: number; top: number; right: number; bottom: number };
}

const imageObject = 3;
/** FPDF_COLORSPACE_DEVICEGRAY and _DEVICERGB. */
const plainColors = [1, 2];
/** Minimum size of a scan in bytes. It leaves out inline pictures, whose dictionaries have other keys. */
const smallestScan = 16_384;
/** Share of the page by which a picture may exceed it, for rounding. */
const tolerance = 0.001;

/**
 * Returns the JPEG of a loaded page that contains nothing else, or null. Decoding it natively takes half the time of PDFium
 * in WebAssembly. Returns null as well when anything could change its look: rotation, masks, clipping or transparency.
 */
export function scannedPage(pdf: OpenedPdf, page: number): ScannedPage | null {
  const { lib } = pdf.engine;
  if (lib.FPDFPage_CountObjects(page) !== 1 || lib.FPDFPage_GetRotation(page) !== 0) return null;
  if (lib.FPDFPage_GetAnnotCount(page) !== 0) return null;
  const object = lib.FPDFPage_GetObject(page, 0);
  if (lib.FPDFPageObj_GetType(object) !== imageObject || lib.FPDFPageObj_HasTransparency(object)) return null;
  if (lib.FPDFClipPath_CountPaths(lib.FPDFPageObj_GetClipPath(object)) > 0) return null;
  if (filterOf(pdf, object) !== 'DCTDecode' || !isUpright(pdf, object) || pdf.mayHaveMasks) return null;
  const size = plainSize(pdf, page, object);
  const box = boxOf(pdf, page, object);
  if (size === null || box === null) return null;
  const length = lib.FPDFImageObj_GetImageDataRaw(object, 0, 0);
  if (length < smallestScan) return null;
  const jpeg = pdf.engine.withScratch(length, (pointer) => {
    lib.FPDFImageObj_GetImageDataRaw(object, pointer, length);
    return Buffer.from(pdf.engine.bytes(pointer, length));
  });
  return { jpeg, ...size, box };
}

/** Returns the filter of a picture, or an empty text when it has none or several. */
function filterOf(pdf: OpenedPdf, object: number): string {
  const { lib } = pdf.engine;
  if (lib.FPDFImageObj_GetImageFilterCount(object) !== 1) return '';
  return pdf.engine.withScratch(32, (pointer) => {
    const length = lib.FPDFImageObj_GetImageFilter(object, 0, pointer, 32);
    return Buffer.from(pdf.engine.bytes(pointer, Math.max(Math.min(length, 32) - 1, 0))).toString('latin1');
  });
}

function isUpright(pdf: OpenedPdf, object: number): boolean {
  const [a, b, c, d] = floats(pdf, 6, (pointer) => pdf.engine.lib.FPDFPageObj_GetMatrix(object, pointer));
  return a !== undefined && a > 0 && b === 0 && c === 0 && d! > 0;
}

/** Returns the pixels of a picture in plain gray or RGB, else null. Reads FPDF_IMAGEOBJ_METADATA: its color space is at byte 20. */
function plainSize(pdf: OpenedPdf, page: number, object: number): { width: number; height: number } | null {
  return pdf.engine.withScratch(28, (pointer) => {
    if (!pdf.engine.lib.FPDFImageObj_GetImageMetadata(object, page, pointer)) return null;
    const view = pdf.engine.view();
    if (!plainColors.includes(view.getInt32(pointer + 20, true))) return null;
    return { width: view.getUint32(pointer, true), height: view.getUint32(pointer + 4, true) };
  });
}

function boxOf(pdf: OpenedPdf, page: number, object: number): ScannedPage['box'] | null {
  const { lib } = pdf.engine;
  const [left, bottom, right, top] = floats(pdf, 4, (p) =>
    lib.FPDFPageObj_GetBounds(object, p, p + 4, p + 8, p + 12),
  );
  // The order of FS_RECTF.
  const [pageLeft, pageTop, pageRight, pageBottom] = floats(pdf, 4, (p) =>
    lib.FPDF_GetPageBoundingBox(page, p),
  );
  if (left === undefined || pageLeft === undefined) return null;
  const across = pageRight! - pageLeft;
  const down = pageTop! - pageBottom!;
  const box = {
    left: (left - pageLeft) / across,
    right: (right! - pageLeft) / across,
    top: (pageTop! - top!) / down,
    bottom: (pageTop! - bottom!) / down,
  };
  const inside = Object.values(box).every((share) => share >= -tolerance && share <= 1 + tolerance);
  return inside ? box : null;
}

/** Returns the `count` floats that `fill` writes, or an empty list when it fails. */
function floats(pdf: OpenedPdf, count: number, fill: (pointer: number) => boolean): number[] {
  return pdf.engine.withScratch(count * 4, (pointer) => {
    if (!fill(pointer)) return [];
    const view = pdf.engine.view();
    return Array.from({ length: count }, (_, i) => view.getFloat32(pointer + i * 4, true));
  });
}
