import { createPdfWriter } from '../pdf/pdf-writer.ts';
import { createTextFonts } from '../pdf/text-line.ts';
import type { PdfiumEngine } from '../pdfium/engine.ts';
import { openPdf } from '../pdfium/opened-pdf.ts';
import { placementOf, withRenderedPage } from '../pdfium/render.ts';
import { faxWidth } from '../raster/page-geometry.ts';
import { threshold } from '../raster/threshold.ts';
import type { OneBitPage } from '../t4/one-bit-page.ts';
import { FINDER_LEFTS, GRID_TOP } from './page-layout.ts';

/** First line of the words: the header line of the transport goes above it. */
const BAND_TOP = 48;
const BAND_LINES = GRID_TOP - BAND_TOP - 8;
const pointsAcross = 72 / 204;
const pointsDown = 72 / 196;
const FIRST_PAGE_PX = 28;
const OTHER_PAGES_PX = 22;
/** From one baseline to the next, in sizes of the font. */
const LEADING = 1.2;

/** Words of an encoded page. */
interface PageWords {
  /** Number of the page, from 1, and pages altogether, parity pages included. */
  page: number;
  pages: number;
  /** Name of the document; null where it is a secret. */
  name: string | null;
  /** Name or number of the person or office to call for an ordinary copy. */
  sender: string;
}

/** Returns the words in lines. The first page explains the others, whose words take time on the line. */
function wordLines({ page, pages, name, sender }: PageWords): string[] {
  const place = `Page ${page} of ${pages}.`;
  if (page > 1) return [`${place} If you see only dots, call ${sender}.`];
  return [
    'This page carries a document in machine-readable form.',
    name === null ? place : `${place} File: ${name}`,
    `If you see only dots, call ${sender} for an ordinary copy.`,
  ];
}

/** Draws the words above the finders. A line that is too long for the page is set smaller. */
export function drawWords(engine: PdfiumEngine, page: OneBitPage, words: PageWords): void {
  const band = engine.guard(() => renderWords(engine, words));
  const start = BAND_TOP * page.stride;
  for (let i = 0; i < band.rows.length; i++) page.rows[start + i]! |= band.rows[i]!;
}

function renderWords(engine: PdfiumEngine, words: PageWords): OneBitPage {
  const writer = createPdfWriter();
  const fonts = createTextFonts();
  const widthPt = faxWidth * pointsAcross;
  const heightPt = BAND_LINES * pointsDown;
  const left = FINDER_LEFTS[0] * pointsAcross;
  const size = (words.page === 1 ? FIRST_PAGE_PX : OTHER_PAGES_PX) * pointsAcross;
  const contents = wordLines(words).map((line, i) => {
    const fitting = Math.min(size, (size * (widthPt - 2 * left)) / fonts.width(line, size));
    return fonts.show(line, left, heightPt - size - i * LEADING * size, Number(fitting.toFixed(2)));
  });
  writer.addPage({ widthPt, heightPt, resources: fonts.write(writer), contents: contents.join('\n') });
  using pdf = openPdf(engine, writer.finish());
  return pdf.withPage(0, (page) => withRenderedPage(pdf, page, placementOf(pdf, page), threshold));
}
