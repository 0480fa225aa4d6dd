import type { CodePageContent } from './jobs.ts';
import { createPdfWriter, number } from './pdf/pdf-writer.ts';
import { createTextFonts, type TextFonts } from './pdf/text-line.ts';
import { wrapWords } from './pdf/wrap-words.ts';

/** The common part of A4 and US Letter in points, so that every machine prints all of it. */
const widthPt = 595.28;
const heightPt = 792;
const margin = 54;
const lineWidth = widthPt - 2 * margin;
/** Room for the header line that the sending machine prints. */
const firstBaseline = heightPt - 84;
const textSize = 13;
const textLine = 18;
const headingSize = 15;
const codeSize = 54;
const boxHeight = 118;
const stepIndent = 24;

/** Writes the page top down. */
interface Pen {
  readonly fonts: TextFonts;
  readonly operators: string[];
  y: number;
}

/** One page that carries a code in large type, readable after a coarse scan. Returns the PDF; the same content gives the same bytes. */
export function codePage(content: CodePageContent): Uint8Array {
  const pen: Pen = { fonts: createTextFonts(), operators: [], y: firstBaseline };
  writeText(pen, content.title, { size: 22, line: 27, maxLines: 2 });
  pen.y -= 6;
  for (const line of content.from) writeText(pen, line, { size: headingSize, line: 20, maxLines: 2 });
  pen.y -= 10;
  writeText(pen, content.purpose, { maxLines: 4 });
  drawCode(pen, content);
  writeText(pen, content.steps.title, { size: headingSize, line: 24, maxLines: 1 });
  for (const [at, step] of content.steps.items.entries()) {
    pen.operators.push(pen.fonts.show(`${at + 1}.`, margin, pen.y, textSize));
    writeText(pen, step, { indent: stepIndent, maxLines: 3 });
    pen.y -= 4;
  }
  pen.y -= 16;
  writeText(pen, content.unexpected.title, { size: headingSize, line: 22, maxLines: 1 });
  writeText(pen, content.unexpected.text, { maxLines: 4 });
  const writer = createPdfWriter();
  const resources = pen.fonts.write(writer);
  writer.addPage({ widthPt, heightPt, resources, contents: pen.operators.join('\n') });
  return writer.finish();
}

function writeText(
  pen: Pen,
  text: string,
  {
    size = textSize,
    line = textLine,
    indent = 0,
    maxLines,
  }: { size?: number; line?: number; indent?: number; maxLines: number },
): void {
  const lines = wrapWords(text, {
    maxLines,
    fits: (part) => pen.fonts.width(part, size) <= lineWidth - indent,
  });
  for (const part of lines) {
    pen.operators.push(pen.fonts.show(part, margin + indent, pen.y, size));
    pen.y -= line;
  }
}

/** The code in a frame, with its last day below it. */
function drawCode(pen: Pen, { code, lastDay }: CodePageContent): void {
  const top = pen.y + 2;
  const centered = (text: string, y: number, size: number) =>
    pen.operators.push(pen.fonts.show(text, (widthPt - pen.fonts.width(text, size)) / 2, y, size));
  const frame = [margin, top - boxHeight, lineWidth, boxHeight].map(number).join(' ');
  pen.operators.push(`2 w ${frame} re S`);
  centered(code, top - 66, codeSize);
  centered(lastDay, top - 98, headingSize);
  pen.y = top - boxHeight - 34;
}
