import type { PrinterRaster, PrinterSheet } from '../jobs.ts';

/** In hundredths of a millimeter. */
const INCH = 2_540;

/** Size of a page in points. */
interface PageSize {
  readonly widthPt: number;
  readonly heightPt: number;
}

/** A page on a sheet of pixels. */
interface PageOnSheet {
  readonly sheet: { readonly width: number; readonly height: number };
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** A page that is wider than it is high on a sheet that is not, or the other way around. */
  readonly isTurned: boolean;
}

/** Returns the sheet whose size is the closest to that of a page, whichever way it lies. */
export function chooseSheet(sheets: readonly PrinterSheet[], page: PageSize): PrinterSheet {
  const [closest] = sheets.toSorted((one, other) => distance(one, page) - distance(other, page));
  return closest!;
}

function distance(sheet: PrinterSheet, { widthPt, heightPt }: PageSize): number {
  const [short, long] = [Math.min(sheet.width, sheet.height), Math.max(sheet.width, sheet.height)];
  const [pageShort, pageLong] = [
    hundredths(Math.min(widthPt, heightPt)),
    hundredths(Math.max(widthPt, heightPt)),
  ];
  return Math.abs(1 - short / pageShort) + Math.abs(1 - long / pageLong);
}

/** Points as hundredths of a millimeter. */
const hundredths = (points: number) => (points * INCH) / 72;

/**
 * Places a page inside the margins that the printer cannot print, at the top and in the middle: in its true size where it fits,
 * otherwise made smaller, so that nothing of a fax is lost.
 */
export function placeOnSheet(
  { perInch, margins }: Pick<PrinterRaster, 'perInch' | 'margins'>,
  sheet: PrinterSheet,
  { widthPt, heightPt }: PageSize,
): PageOnSheet {
  const pixels = (length: number) => Math.round((length * perInch) / INCH);
  const isTurned = widthPt > heightPt !== sheet.width > sheet.height;
  const [pageWidth, pageHeight] = isTurned ? [heightPt, widthPt] : [widthPt, heightPt];
  const room = {
    width: pixels(sheet.width - margins.left - margins.right),
    height: pixels(sheet.height - margins.top - margins.bottom),
  };
  const [trueWidth, trueHeight] = [pixels(hundredths(pageWidth)), pixels(hundredths(pageHeight))];
  const scale = Math.min(1, room.width / trueWidth, room.height / trueHeight);
  const width = Math.max(1, Math.floor(trueWidth * scale));
  const height = Math.max(1, Math.floor(trueHeight * scale));
  return {
    sheet: { width: pixels(sheet.width), height: pixels(sheet.height) },
    left: pixels(margins.left) + ((room.width - width) >> 1),
    top: pixels(margins.top),
    width,
    height,
    isTurned,
  };
}
