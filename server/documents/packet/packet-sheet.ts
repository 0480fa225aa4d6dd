import type { OpenedPdf } from '../pdfium/opened-pdf.ts';
import { placementOf, withRenderedPage } from '../pdfium/render.ts';
import { headerLines } from '../raster/header-line.ts';
import { paperLines, placePage } from '../raster/page-geometry.ts';

/** Lines of the raster at the top of each page of a packet: those of the header line, and those of the page number below it. */
const numberLines = 36;
const stripLines = headerLines + numberLines;
/** From the lower edge of the strip to the baseline of the number. */
const baselineLines = 9;
const pointsPerLine = 72 / 196;
/** Darker pixels are ink. */
const paper = 250;

/** Sheet of a packet, sizes in points. */
export interface PacketSheet {
  readonly widthPt: number;
  readonly heightPt: number;
  /** Of the page on the sheet, in relation to its own size; its lower left corner is at `leftPt`, 0. */
  readonly scale: number;
  readonly leftPt: number;
  /** Place and size of the page number. */
  readonly number: { readonly baselinePt: number; readonly sizePt: number };
}

const numberPt = 9;

/**
 * Measures a loaded page and returns the sheet on which its number has a strip of its own: as it is when the strip is free,
 * with more paper at the top when that still fits on a sheet of the machine, otherwise slightly smaller.
 */
export function sheetFor(pdf: OpenedPdf, page: number): PacketSheet {
  const { widthPt, heightPt } = pdf.pageSize(page);
  const placement = placementOf(pdf, page);
  const stripPt = (stripLines * pointsPerLine) / placement.scale;
  const sheet = (size: { heightPt: number; scale: number }): PacketSheet => ({
    widthPt,
    ...size,
    leftPt: (widthPt * (1 - size.scale)) / 2,
    number: {
      baselinePt: size.heightPt - stripPt + (baselineLines * pointsPerLine) / placement.scale,
      sizePt: numberPt / placement.scale,
    },
  });
  const isFree = withRenderedPage(pdf, page, { ...placement, lines: stripLines }, ({ pixels }) =>
    pixels.every((pixel) => pixel >= paper),
  );
  if (isFree) return sheet({ heightPt, scale: 1 });
  const taller = placePage(widthPt, heightPt + stripPt);
  // A page that does not fit so fills about a sheet: a shorter page is never made much smaller.
  if (taller.scale === placement.scale && taller.lines <= paperLines)
    return sheet({ heightPt: heightPt + stripPt, scale: 1 });
  return sheet({ heightPt, scale: (heightPt - stripPt) / heightPt });
}
