import { createPdfWriter } from '../pdf/pdf-writer.ts';
import { createTextFonts } from '../pdf/text-line.ts';
import type { PdfiumEngine } from '../pdfium/engine.ts';
import { openPdf } from '../pdfium/opened-pdf.ts';
import { placementOf, withRenderedPage } from '../pdfium/render.ts';
import type { OneBitPage } from '../t4/one-bit-page.ts';
import { threshold } from './threshold.ts';

/** The header line lies in lines 10 to 41 of the page: 1.3 to 5.4 mm from its edge. */
const firstLine = 10;
const stripLines = 32;
/** Lines at the top that are the header's. */
export const headerLines = firstLine + stripLines + 2;

/** The strip in points: 1728 pixels at 204 per inch by 32 lines at 196. */
const widthPt = (1728 * 72) / 204;
const heightPt = (stripLines * 72) / 196;
const sidePt = 24;
const largestPt = 8.5;
/** Between two parts of the line. */
const minGapPt = 12;

/** Texts of the header line. */
export interface HeaderWords {
  /** From left to right, spread over the line. */
  readonly parts: readonly string[];
  /** `2/5` stands at its right end. */
  readonly isNumbered: boolean;
}

/** The header line of each page (from 1) as pixels; one that is not numbered is drawn once. Calls belong under a guard. */
export function createHeaderLine(
  engine: PdfiumEngine,
  { parts, isNumbered }: HeaderWords,
  pages: number,
): (page: number) => OneBitPage {
  let same: OneBitPage | null = null;
  return (page) => {
    if (isNumbered) return renderHeaderLine(engine, [...parts, `${page}/${pages}`]);
    same ??= renderHeaderLine(engine, parts);
    return same;
  };
}

/** The parts may be of any script; a line that is too long for the page is set smaller. */
function renderHeaderLine(engine: PdfiumEngine, parts: readonly string[]): OneBitPage {
  const writer = createPdfWriter();
  const fonts = createTextFonts();
  const room = widthPt - 2 * sidePt - (parts.length - 1) * minGapPt;
  const widest = parts.reduce((sum, part) => sum + fonts.width(part, largestPt), 0);
  const size = Number(Math.min(largestPt, (largestPt * room) / widest).toFixed(2));
  const widths = parts.map((part) => fonts.width(part, size));
  const left = widthPt - 2 * sidePt - widths.reduce((sum, width) => sum + width, 0);
  const gap = left / Math.max(parts.length - 1, 1);
  let x = sidePt;
  const contents = parts.map((part, i) => {
    const shown = fonts.show(part, x, 3, size);
    x += (widths[i] ?? 0) + gap;
    return shown;
  });
  writer.addPage({ widthPt, heightPt, resources: fonts.write(writer), contents: contents.join('\n') });
  using pdf = openPdf(engine, writer.finish());
  return pdf.withPage(0, (page) => withRenderedPage(pdf, page, placementOf(pdf, page), threshold));
}

/** Returns true when the page has ink where the header line goes. */
export function hasInkAtTop(page: OneBitPage): boolean {
  return page.rows.subarray(0, headerLines * page.stride).some((byte) => byte !== 0);
}

/** Draws the header line onto the page. */
export function drawHeaderLine(page: OneBitPage, header: OneBitPage): void {
  const start = firstLine * page.stride;
  const length = Math.min(header.rows.length, page.rows.length - start);
  for (let i = 0; i < length; i++) page.rows[start + i]! |= header.rows[i]!;
}
