import type { OpenedPdf } from '../pdfium/opened-pdf.ts';
import { walkPage } from '../pdfium/page-contents.ts';
import { placementOf, withRenderedPage } from '../pdfium/render.ts';
import { type ScannedPage, scannedPage } from '../pdfium/scanned-page.ts';
import { drawScan } from './draw-scan.ts';
import { type ToneOptions, type ToneResult, toOneBit } from './greys.ts';
import {
  createHeaderLine,
  drawHeaderLine,
  type HeaderWords,
  hasInkAtTop,
  headerLines,
} from './header-line.ts';
import { belowTop, type Placement } from './page-geometry.ts';

/** A page as the far machine prints it, with what the notes of the preview need. */
export interface FaxPage extends ToneResult {
  number: number;
  texts: number;
  tinyTexts: number;
}

export interface RasterOptions extends ToneOptions {
  headerLine: HeaderWords | null;
  /** Pages of the whole fax, for the header line; those of the PDF when left out. */
  pageCount?: number;
}

/** Print lower than this is hard to read after a fax, in points. */
const tinyPrintPt = 7;

/**
 * Rasters the pages of a PDF from number `from` on, one after the other, 204 x 196 per inch, with the header line in the
 * top margin.
 */
export async function* faxPages(pdf: OpenedPdf, options: RasterOptions, from = 1): AsyncGenerator<FaxPage> {
  const { engine } = pdf;
  const header =
    options.headerLine && createHeaderLine(engine, options.headerLine, options.pageCount ?? pdf.pageCount);
  for (let index = from - 1; index < pdf.pageCount; index++) {
    const inspection = engine.guard(() => inspectPage(pdf, index, options));
    const draw = async (place: Placement): Promise<ToneResult> =>
      await drawPage(pdf, index, inspection.scan, place, options);
    let result = inspection.drawn ?? (await draw(inspection.placement));
    if (header !== null) {
      if (hasInkAtTop(result.page)) result = await draw(belowTop(inspection.placement, headerLines));
      drawHeaderLine(
        result.page,
        engine.guard(() => header(index + 1)),
      );
    }
    yield { number: index + 1, texts: inspection.texts, tinyTexts: inspection.tinyTexts, ...result };
  }
}

interface PageInspection {
  placement: Placement;
  scan: ScannedPage | null;
  /** The page, drawn while it is loaded; null for a scan. */
  drawn: ToneResult | null;
  texts: number;
  tinyTexts: number;
}

function inspectPage(pdf: OpenedPdf, index: number, tones: ToneOptions): PageInspection {
  return pdf.withPage(index, (page) => {
    const placement = placementOf(pdf, page);
    const options = { tinyPt: tinyPrintPt / placement.scale, checkFonts: false };
    const contents = walkPage(pdf, page, index + 1, options);
    const scan = scannedPage(pdf, page);
    const drawn = scan === null ? drawLoaded(pdf, page, placement, tones) : null;
    return { placement, ...contents, scan, drawn };
  });
}

function drawLoaded(pdf: OpenedPdf, page: number, placement: Placement, tones: ToneOptions): ToneResult {
  return withRenderedPage(pdf, page, placement, (rendered) => toOneBit(rendered, tones));
}

async function drawPage(
  pdf: OpenedPdf,
  index: number,
  scan: ScannedPage | null,
  placement: Placement,
  tones: ToneOptions,
): Promise<ToneResult> {
  const grey = scan === null ? null : await drawScan(scan, placement);
  if (grey !== null) return toOneBit(grey, tones);
  return pdf.engine.guard(() => pdf.withPage(index, (page) => drawLoaded(pdf, page, placement, tones)));
}
