import { DocumentError } from '../document-error.ts';
import type { CoverPage } from '../jobs.ts';
import { createPdfWriter, number, type PdfWriter } from '../pdf/pdf-writer.ts';
import { createTextFonts, type TextFonts } from '../pdf/text-line.ts';
import { wrapWords } from '../pdf/wrap-words.ts';
import { storePicture } from '../pictures/picture-source.ts';
import { assertPrintable } from './printable.ts';

/** The common part of A4 and US Letter in points, so that every machine prints all of it. */
const widthPt = 595.28;
const heightPt = 792;
const margin = 54;
/** Room for the header line of the sending machine. */
const top = heightPt - 54;
const bottom = 40;
const right = widthPt - margin;
const valueLeft = margin + 100;
const titleSize = 30;
const labelSize = 11;
const valueSize = 13;
const valueLine = 18;
const textSize = 12;
const textLine = 17;
const noticeSize = 10.5;
const noticeLine = 14.5;
const noticePadding = 9;
const logoBox = { width: 190, height: 66 };
/** More lines than any page has. */
const manyLines = 200;

/** Writes the page top down. */
interface Pen {
  readonly fonts: TextFonts;
  readonly operators: string[];
  y: number;
}

/** Draws a cover page and returns it as a PDF. Throws a DocumentError for letters that cannot be printed and for text that does not fit. */
export async function drawCoverPage(page: CoverPage): Promise<Buffer> {
  const pen: Pen = { fonts: createTextFonts(), operators: [], y: top };
  assertPrintable(pen.fonts, [
    page.title,
    page.text,
    page.notice,
    ...page.rows.flatMap(({ label, value }) => [label, value]),
  ]);
  const writer = createPdfWriter();
  const logo = page.logo === null ? null : await drawLogo(writer, pen, page.logo);
  drawTitle(pen, page.title, logo);
  for (const row of page.rows) drawRow(pen, row);
  if (page.text !== '') {
    pen.y -= 12;
    for (const line of linesOf(pen.fonts, page.text, textSize, right - margin)) {
      pen.y -= textLine;
      show(pen, line, margin, textSize);
    }
  }
  const footTop = drawNotice(pen, page.notice);
  if (pen.y < footTop + 8) throw tooMuchText();
  const resources = `${pen.fonts.write(writer)}${logo === null ? '' : ` /XObject << /L ${logo.id} 0 R >>`}`;
  writer.addPage({ widthPt, heightPt, resources, contents: pen.operators.join('\n') });
  return writer.finish();
}

async function drawLogo(
  writer: PdfWriter,
  pen: Pen,
  file: Uint8Array,
): Promise<{ id: number; width: number; height: number }> {
  const picture = await storePicture(writer, Buffer.from(file), { kind: 'PNG' });
  const scale = Math.min(logoBox.width / picture.width, logoBox.height / picture.height);
  const width = picture.width * scale;
  const height = picture.height * scale;
  const place = [width, 0, 0, height, right - width, top - height].map(number).join(' ');
  pen.operators.push(`q ${place} cm /L Do Q`);
  return { id: picture.id, width, height };
}

function drawTitle(pen: Pen, title: string, logo: { width: number; height: number } | null): void {
  const width = right - margin - (logo === null ? 0 : logo.width + 18);
  for (const line of linesOf(pen.fonts, title, titleSize, width)) {
    pen.y -= titleSize + 4;
    show(pen, line, margin, titleSize);
  }
  pen.y = Math.min(pen.y, logo === null ? top : top - logo.height) - 16;
  rule(pen, 1.4);
}

function drawRow(pen: Pen, { label, value }: CoverPage['rows'][number]): void {
  pen.y -= 6;
  const lines = linesOf(pen.fonts, value, valueSize, right - valueLeft);
  const labels = linesOf(pen.fonts, label, labelSize, valueLeft - margin - 8).slice(0, 2);
  const start = pen.y;
  for (const line of labels) {
    pen.y -= valueLine;
    show(pen, line, margin, labelSize);
  }
  const below = pen.y;
  pen.y = start;
  for (const line of lines) {
    pen.y -= valueLine;
    show(pen, line, valueLeft, valueSize);
  }
  pen.y = Math.min(pen.y, below) - 8;
  rule(pen, 0.5);
}

/** Draws the notice in a box at the foot of the page and returns its upper edge. */
function drawNotice(pen: Pen, notice: string): number {
  if (notice === '') return bottom;
  const lines = linesOf(pen.fonts, notice, noticeSize, right - margin - 2 * noticePadding);
  const height = lines.length * noticeLine + 2 * noticePadding;
  const box = [margin, bottom, right - margin, height].map(number).join(' ');
  pen.operators.push(`0.8 w ${box} re S`);
  const first = bottom + height - noticePadding - noticeSize;
  for (const [i, line] of lines.entries())
    if (line !== '')
      pen.operators.push(pen.fonts.show(line, margin + noticePadding, first - i * noticeLine, noticeSize));
  return bottom + height;
}

const rule = (pen: Pen, width: number): void => {
  pen.operators.push(`${width} w ${number(margin)} ${number(pen.y)} m ${number(right)} ${number(pen.y)} l S`);
};

function show(pen: Pen, line: string, x: number, size: number): void {
  if (pen.y < 0) throw tooMuchText();
  if (line !== '') pen.operators.push(pen.fonts.show(line, x, pen.y, size));
}

/** Breaks a text into lines that fit; its own line ends stay. */
export function linesOf(fonts: TextFonts, text: string, size: number, width: number): string[] {
  const fits = (line: string): boolean => fonts.width(line, size) <= width;
  return text.split('\n').flatMap((line) => {
    const lines = wrapWords(line, { fits, maxLines: manyLines });
    return lines.length === 0 ? [''] : lines;
  });
}

const tooMuchText = (): DocumentError =>
  new DocumentError(
    'too_large',
    'The texts of the cover page do not fit on one page. Shorten the note or another text.',
  );
