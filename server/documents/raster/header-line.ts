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

/** The header line as pixels. The text may be of any script; a long one is set smaller. */
export function renderHeaderLine(engine: PdfiumEngine, text: string): OneBitPage {
  const writer = createPdfWriter();
  const fonts = createTextFonts();
  const size = Math.min(largestPt, (largestPt * (widthPt - 2 * sidePt)) / fonts.width(text, largestPt));
  const contents = fonts.show(text, sidePt, 3, Number(size.toFixed(2)));
  writer.addPage({ widthPt, heightPt, resources: fonts.write(writer), contents });
  using pdf = openPdf(engine, writer.finish());
  return pdf.withPage(0, (page) => withRenderedPage(pdf, page, placementOf(pdf, page), threshold));
}

/** Whether the page has ink where the header line goes. */
export function hasInkAtTop(page: OneBitPage): boolean {
  return page.rows.subarray(0, headerLines * page.stride).some((byte) => byte !== 0);
}

/** Draws the header line onto the page. */
export function drawHeaderLine(page: OneBitPage, header: OneBitPage): void {
  const start = firstLine * page.stride;
  const length = Math.min(header.rows.length, page.rows.length - start);
  for (let i = 0; i < length; i++) page.rows[start + i]! |= header.rows[i]!;
}
