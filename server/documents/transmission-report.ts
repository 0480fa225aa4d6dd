import type { FileToRead } from '../platform/file-cipher.ts';
import { readDocument } from './document-files.ts';
import type { ReportContent } from './jobs.ts';
import { createPdfWriter, number, type PdfWriter } from './pdf/pdf-writer.ts';
import { writeOneBitPicture } from './pdf/picture-page.ts';
import { createTextFonts, type TextFonts } from './pdf/text-line.ts';
import type { PdfiumEngine } from './pdfium/engine.ts';
import { openPdf } from './pdfium/opened-pdf.ts';
import { faxPages } from './raster/fax-pages.ts';
import type { OneBitPage } from './t4/one-bit-page.ts';

/** A4 in points. */
const widthPt = 595.28;
const heightPt = 841.89;
const margin = 48;
const valueColumn = margin + 150;
const footerY = 34;
const rowHeight = 15;
/** Between the lines of one value. */
const lineHeight = 11;
/** Of one value; what does not fit is cut. */
const maxLines = 4;
/** Space between the rows and the footer. */
const minPictureHeight = 120;

/** A one-page report: title, result, rows, a picture of the document's first page, footer. Returns the PDF. */
export async function transmissionReport(engine: PdfiumEngine, content: ReportContent): Promise<Uint8Array> {
  const fonts = createTextFonts();
  const lines: string[] = [];
  lines.push(
    fonts.show(truncateToFit(fonts, content.title, 20, widthPt - margin), margin, heightPt - 72, 20),
  );
  lines.push(
    fonts.show(truncateToFit(fonts, content.result, 12, widthPt - margin), margin, heightPt - 96, 12),
  );
  let y = heightPt - 126;
  const rows = content.rows.slice(0, 24);
  for (const [i, row] of rows.entries()) {
    lines.push(fonts.show(truncateToFit(fonts, row.label, 9, valueColumn - 8), margin, y, 9));
    const spare = y - footerY - minPictureHeight - (rows.length - i) * rowHeight;
    const lineLimit = Math.max(1, Math.min(maxLines, 1 + Math.floor(spare / lineHeight)));
    for (const [at, value] of wrapText(fonts, row.value, 9, lineLimit).entries()) {
      if (at > 0) y -= lineHeight;
      lines.push(fonts.show(value, valueColumn, y, 9));
    }
    y -= rowHeight;
  }
  lines.push(fonts.show(truncateToFit(fonts, content.footer, 7.5, widthPt - margin), margin, footerY, 7.5));
  const writer = createPdfWriter();
  const picture = content.pdfPath === null ? null : await firstPage(engine, content.pdfPath);
  const drawn = picture === null ? { resources: '', contents: '' } : drawPicture(writer, picture, y);
  const resources = `${fonts.write(writer)} ${drawn.resources}`;
  writer.addPage({ widthPt, heightPt, resources, contents: `${lines.join('\n')}\n${drawn.contents}` });
  return writer.finish();
}

/** The value in lines that fit into its column, broken between words where they are not longer than it. */
function wrapText(fonts: TextFonts, value: string, size: number, lineLimit: number): string[] {
  const room = widthPt - margin - valueColumn;
  const lines: string[] = [];
  let rest = value;
  while (lines.length < lineLimit - 1 && fonts.width(rest, size) > room) {
    const fits = longestFittingStart(rest, (start) => fonts.width(start, size) <= room);
    const space = rest.startsWith(' ', fits) ? fits : rest.lastIndexOf(' ', fits - 1);
    const end = space > 0 ? space : Math.max(1, fits);
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, truncateToFit(fonts, rest, size, margin + room)];
}

/**
 * Returns the length of the longest start of the text that the test takes, in code units and never half a character. The test
 * takes every shorter start.
 */
function longestFittingStart(text: string, isTaken: (start: string) => boolean): number {
  let length = 0;
  for (const character of text) {
    if (!isTaken(text.slice(0, length + character.length))) break;
    length += character.length;
  }
  return length;
}

/** The text cut to what fits between the left margin and `right`. */
function truncateToFit(fonts: TextFonts, text: string, size: number, right: number): string {
  const room = right - margin;
  if (fonts.width(text, size) <= room) return text;
  const characters = [...text];
  while (characters.length > 0 && fonts.width(`${characters.join('')}…`, size) > room) characters.pop();
  return `${characters.join('')}…`;
}

async function firstPage(engine: PdfiumEngine, path: FileToRead): Promise<OneBitPage | null> {
  const bytes = readDocument(path);
  using pdf = engine.guard(() => openPdf(engine, bytes));
  for await (const { page } of faxPages(pdf, { headerLine: null, cleanGreys: false })) return page;
  return null;
}

/** The picture with a frame, as large as the room between the rows and the footer allows. */
function drawPicture(
  writer: PdfWriter,
  page: OneBitPage,
  below: number,
): { resources: string; contents: string } {
  const id = writeOneBitPicture(writer, page);
  const trueWidth = (page.width * 72) / 204;
  const trueHeight = (page.height * 72) / 196;
  const bottom = footerY + 24;
  const scale = Math.min((widthPt - 2 * margin) / trueWidth, (below - bottom) / trueHeight, 1);
  const width = trueWidth * scale;
  const height = trueHeight * scale;
  const place = [width, 0, 0, height, margin, below - height].map(number).join(' ');
  const frame = [margin, below - height, width, height].map(number).join(' ');
  return {
    resources: `/XObject << /P ${id} 0 R >>`,
    contents: `q ${place} cm /P Do Q 0.5 w ${frame} re S`,
  };
}
