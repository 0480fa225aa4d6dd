import { readDocument } from '../document-files.ts';
import type { ReportContent, ReportSection } from '../jobs.ts';
import { createPdfWriter } from '../pdf/pdf-writer.ts';
import { writeOneBitPicture } from '../pdf/picture-page.ts';
import type { PdfiumEngine } from '../pdfium/engine.ts';
import { openPdf } from '../pdfium/opened-pdf.ts';
import { faxPages } from '../raster/fax-pages.ts';
import type { OneBitPage } from '../t4/one-bit-page.ts';
import { createReportPen, type ReportPen, type TextStyle } from './report-pen.ts';

const issuerStyle = { size: 9, line: 12, isQuiet: true };
const titleStyle = { size: 19, line: 24, isBold: true };
const resultStyle = { size: 13, line: 17, isBold: true };
const textStyle = { size: 9, line: 12 };
const labelStyle = { ...textStyle, isQuiet: true };
const headingStyle = { size: 11, line: 15, isBold: true };
const cellStyle = { size: 8, line: 10.5 };
const headStyle = { ...cellStyle, isQuiet: true };
const labelWidth = 104;
const rowGap = 3.5;
const columnGap = 8;
/** Width of the picture and of the column that it is in. */
const pictureWidth = 150;
const pictureGap = 18;
/** A fax page is at most this much longer than it is wide in the picture; longer ones are made narrower. */
const maxPictureHeight = 260;
const maxCellLines = 12;

/** Report on one fax, of as many pages as it needs, with files inside. Returns the PDF; the same content gives the same bytes. */
export async function transmissionReport(engine: PdfiumEngine, content: ReportContent): Promise<Uint8Array> {
  const pen = createReportPen(content.paper);
  const page = content.picture.pdfPath === null ? null : await firstPage(engine, content.picture.pdfPath);
  drawHead(pen, content);
  drawFacts(pen, content, page === null ? null : drawPicture(pen, content.picture.caption, page));
  if (page === null && content.picture.caption !== '')
    drawRow(pen, { label: 'Page 1', value: content.picture.caption }, pen.width);
  for (const section of content.sections) drawSection(pen, section);
  const writer = createPdfWriter();
  const pictureId = page === null ? null : writeOneBitPicture(writer, page);
  pen.write(writer, { footer: content.footer, pictureId });
  for (const file of content.attachments) writer.attach(file);
  return writer.finish({ title: content.name });
}

async function firstPage(
  engine: PdfiumEngine,
  path: NonNullable<ReportContent['picture']['pdfPath']>,
): Promise<OneBitPage | null> {
  const bytes = readDocument(path);
  using pdf = engine.guard(() => openPdf(engine, bytes));
  for await (const { page } of faxPages(pdf, { headerLine: null, cleanGreys: false })) return page;
  return null;
}

function drawHead(pen: ReportPen, { issuer, title, result, explanation }: ReportContent): void {
  for (const [at, line] of issuer.entries())
    for (const part of pen.wrap(line, issuerStyle, pen.width, 2)) {
      pen.show(part, {}, at === 0 ? { ...issuerStyle, isBold: true, isQuiet: false } : issuerStyle);
      pen.y -= issuerStyle.line;
    }
  pen.rule(pen.y + 4);
  pen.y -= 24;
  pen.paragraph(title, titleStyle, 2);
  pen.y -= 2;
  pen.paragraph(result, resultStyle, 3);
  for (const sentence of explanation) pen.paragraph(sentence, textStyle, 6);
  pen.y -= 12;
}

/** Draws the picture at the right side, below the head. Returns its lower edge. */
function drawPicture(pen: ReportPen, caption: string, page: OneBitPage): number {
  const trueWidth = page.width / 204;
  const trueHeight = page.height / 196;
  const height = Math.min((pictureWidth * trueHeight) / trueWidth, maxPictureHeight);
  const width = (height * trueWidth) / trueHeight;
  const top = pen.y + 8;
  const x = pen.right - width;
  pen.picture(x, top - height, width, height);
  pen.frame(x, top - height, width, height);
  let y = top - height - 11;
  for (const line of pen.wrap(caption, headStyle, pictureWidth, 3)) {
    pen.show(line, { right: pen.right, y }, headStyle);
    y -= headStyle.line;
  }
  return y - 4;
}

/** Draws the facts, beside the picture as far as it reaches. */
function drawFacts(pen: ReportPen, { facts }: ReportContent, pictureBottom: number | null): void {
  for (const fact of facts) {
    const isBeside = pictureBottom !== null && pen.isOnFirstPage && pen.y > pictureBottom;
    drawRow(pen, fact, isBeside ? pen.width - pictureWidth - pictureGap : pen.width);
  }
  if (pictureBottom !== null && pen.isOnFirstPage) pen.y = Math.min(pen.y, pictureBottom);
}

function drawRow(pen: ReportPen, { label, value }: { label: string; value: string }, width: number): void {
  const lines = pen.wrap(value, textStyle, width - labelWidth, maxCellLines);
  const labels = pen.wrap(label, labelStyle, labelWidth - columnGap, 2);
  const rows = Math.max(lines.length, labels.length);
  pen.ensure((rows - 1) * textStyle.line);
  for (let row = 0; row < rows; row += 1) {
    pen.show(labels[row] ?? '', {}, labelStyle);
    pen.show(lines[row] ?? '', { x: pen.left + labelWidth }, textStyle);
    pen.y -= textStyle.line;
  }
  pen.y -= rowGap;
}

function drawSection(pen: ReportPen, { title, columns, rows, sentences }: ReportSection): void {
  pen.y -= 8;
  // A heading is never left alone at the end of a page, and a few sentences stay together.
  const lines =
    columns.length > 0 ? 3 : sentences.flatMap((text) => pen.wrap(text, textStyle, pen.width)).length;
  pen.ensure(headingStyle.line + Math.min(lines, 12) * textStyle.line);
  pen.rule(pen.y + 14);
  pen.y -= 2;
  pen.paragraph(title, headingStyle, 2);
  pen.y -= 1;
  if (columns.length > 0 && rows.length > 0) {
    const places = placesOf(pen, columns);
    drawColumnHead(pen, columns, places);
    for (const row of rows) drawTableRow(pen, { columns, places }, row);
  }
  for (const sentence of sentences) {
    pen.paragraph(sentence, textStyle);
    pen.y -= 2;
  }
}

interface Place {
  readonly x: number;
  readonly width: number;
}

function placesOf(pen: ReportPen, columns: ReportSection['columns']): Place[] {
  const places: Place[] = [];
  let x = pen.left;
  for (const { share } of columns) {
    places.push({ x, width: share * pen.width - columnGap });
    x += share * pen.width;
  }
  return places;
}

function drawColumnHead(pen: ReportPen, columns: ReportSection['columns'], places: readonly Place[]): void {
  for (const [at, { x }] of places.entries()) pen.show(columns[at]?.label ?? '', { x }, headStyle);
  pen.y -= headStyle.line + 3;
}

/** Draws a row that stays together, with the names of the columns again on a new page. */
function drawTableRow(
  pen: ReportPen,
  { columns, places }: { columns: ReportSection['columns']; places: readonly Place[] },
  row: readonly string[],
): void {
  const cells = places.map(({ width }, at) => pen.wrap(row[at] ?? '', cellStyle, width, maxCellLines));
  const height = Math.max(1, ...cells.map(({ length }) => length)) * cellStyle.line;
  if (pen.ensure(height - cellStyle.line)) drawColumnHead(pen, columns, places);
  for (const [at, lines] of cells.entries()) drawLines(pen, lines, places[at]?.x ?? pen.left, cellStyle);
  pen.y -= height + rowGap;
}

function drawLines(pen: ReportPen, lines: readonly string[], x: number, style: TextStyle): void {
  for (const [at, line] of lines.entries()) pen.show(line, { x, y: pen.y - at * style.line }, style);
}
