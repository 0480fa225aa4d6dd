import type { ListPageContent } from './jobs.ts';
import { createPdfWriter } from './pdf/pdf-writer.ts';
import { createTextFonts, type TextFonts } from './pdf/text-line.ts';

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

/** One page that lists something: title, sentence, rows, footer. Returns the PDF. */
export function listPage(content: ListPageContent): Uint8Array {
  const fonts = createTextFonts();
  const lines: string[] = [];
  const show = (text: string, y: number, size: number) =>
    lines.push(fonts.show(truncateToFit(fonts, text, size, widthPt - margin), margin, y, size));
  show(content.title, heightPt - 72, 20);
  show(content.result, heightPt - 96, 12);
  let y = heightPt - 126;
  const rows = content.rows.slice(0, 24);
  for (const [i, row] of rows.entries()) {
    lines.push(fonts.show(truncateToFit(fonts, row.label, 9, valueColumn - 8), margin, y, 9));
    const spare = y - footerY - (rows.length - i) * rowHeight;
    const lineLimit = Math.max(1, Math.min(maxLines, 1 + Math.floor(spare / lineHeight)));
    for (const [at, value] of wrapText(fonts, row.value, 9, lineLimit).entries()) {
      if (at > 0) y -= lineHeight;
      lines.push(fonts.show(value, valueColumn, y, 9));
    }
    y -= rowHeight;
  }
  show(content.footer, footerY, 7.5);
  const writer = createPdfWriter();
  writer.addPage({ widthPt, heightPt, resources: fonts.write(writer), contents: lines.join('\n') });
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
