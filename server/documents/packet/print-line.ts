import { assertPrintable } from '../covers/printable.ts';
import type { PrintedLine } from '../jobs.ts';
import { createTextFonts } from '../pdf/text-line.ts';
import type { PdfiumEngine } from '../pdfium/engine.ts';
import { createPacketPages, openFlattened } from '../pdfium/join-packet.ts';
import { mergePdfs, pagesBetween } from '../pdfium/merge-pdfs.ts';
import { type OpenedPdf, openPdf } from '../pdfium/opened-pdf.ts';
import { createFramePages } from './frame-pages.ts';
import { type PacketSheet, sheetFor } from './packet-sheet.ts';

/** Free at the left and right of the line, in points of the sheet. */
const MARGIN = 18;

/**
 * Prints a line of text on the first or last page, in a strip of its own below the header line, where nothing of the page
 * is covered. Throws a DocumentError for letters that cannot be printed.
 */
export function printLine(
  engine: PdfiumEngine,
  bytes: Uint8Array,
  { text, page, maxBytes }: PrintedLine & { maxBytes: number },
): Buffer {
  const fonts = createTextFonts();
  assertPrintable(fonts, [text], 'The opt-out line');
  using pdf = openFlattened(engine, bytes);
  const at = page === 'first' ? 1 : pdf.pageCount;
  const one = pagesBetween(engine, pdf, [at, at]);
  const printed = withLine(engine, one, (sheet) => {
    const room = sheet.widthPt - 2 * MARGIN;
    const width = fonts.width(text, sheet.number.sizePt);
    const sizePt = width <= room ? sheet.number.sizePt : (sheet.number.sizePt * room) / width;
    const lines = createFramePages();
    lines.addNumber(text, { ...sheet, number: { ...sheet.number, sizePt } });
    return lines.finish(maxBytes);
  });
  const parts = [
    ...(at > 1 ? [pagesBetween(engine, pdf, [1, at - 1])] : []),
    printed,
    ...(at < pdf.pageCount ? [pagesBetween(engine, pdf, [at + 1, pdf.pageCount])] : []),
  ];
  return parts.length === 1 ? printed : mergePdfs(engine, parts);
}

/** Puts what `draw` returns, a page with a line, above the only page of a PDF. */
function withLine(engine: PdfiumEngine, file: Uint8Array, draw: (sheet: PacketSheet) => Uint8Array): Buffer {
  using collected = createPacketPages(engine);
  using pdf: OpenedPdf = openPdf(engine, file);
  const sheet = pdf.withPage(0, (loaded) => sheetFor(pdf, loaded));
  const page = collected.add(pdf);
  using drawn = openPdf(engine, draw(sheet));
  const numberPage = collected.add(drawn);
  return collected.join([{ sheet, page, numberPage }], () => undefined);
}
