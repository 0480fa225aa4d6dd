import type { PdfiumEngine } from '../pdfium/engine.ts';
import type { OpenedPdf } from '../pdfium/opened-pdf.ts';
import { walkPage } from '../pdfium/page-contents.ts';
import { placementOf, withRenderedPage } from '../pdfium/render.ts';
import type { OneBitPage } from '../t4/one-bit-page.ts';
import { type ToneResult, toOneBit } from './greys.ts';
import { drawHeaderLine, hasInkAtTop, headerLines, renderHeaderLine } from './header-line.ts';
import { belowTop, type Placement } from './page-geometry.ts';

/** A page as the far machine prints it, with what the notes of the preview need. */
export interface FaxPage extends ToneResult {
  number: number;
  texts: number;
  tinyTexts: number;
}

export interface RasterOptions {
  headerLine: string | null;
  cleanGreys: boolean;
}

/** Print lower than this is hard to read after a fax, in points. */
const tinyPrintPt = 7;

/** Rasters the pages of a PDF one after the other, 204 x 196 per inch, with the header line in the top margin. */
export function* faxPages(pdf: OpenedPdf, options: RasterOptions): Generator<FaxPage> {
  const header = headerOf(pdf.engine, options.headerLine);
  for (let index = 0; index < pdf.pageCount; index++) {
    yield pdf.withPage(index, (page) => {
      const placement = placementOf(pdf, page);
      const contents = walkPage(pdf, page, index + 1, {
        tinyPt: tinyPrintPt / placement.scale,
        checkFonts: false,
      });
      return {
        number: index + 1,
        ...contents,
        ...rasterPage(pdf, page, placement, header, options.cleanGreys),
      };
    });
  }
}

function headerOf(engine: PdfiumEngine, text: string | null): OneBitPage | null {
  return text === null || text.trim() === '' ? null : renderHeaderLine(engine, text);
}

/** A page with ink where the header goes is set a little lower and smaller, so that neither covers the other. */
function rasterPage(
  pdf: OpenedPdf,
  page: number,
  placement: Placement,
  header: OneBitPage | null,
  cleanGreys: boolean,
): ToneResult {
  const raster = (place: Placement): ToneResult =>
    withRenderedPage(pdf, page, place, (grey) => toOneBit(grey, cleanGreys));
  const result = raster(placement);
  if (header === null) return result;
  const free = hasInkAtTop(result.page) ? raster(belowTop(placement, headerLines)) : result;
  drawHeaderLine(free.page, header);
  return free;
}
