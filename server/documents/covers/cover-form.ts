import { DocumentError } from '../document-error.ts';
import { createPdfWriter } from '../pdf/pdf-writer.ts';
import { createTextFonts, type TextFonts } from '../pdf/text-line.ts';
import type { PdfiumEngine } from '../pdfium/engine.ts';
import { type FormField, takeTextFields } from '../pdfium/form-fields.ts';
import { createPacketPages, flattenPages } from '../pdfium/join-packet.ts';
import { type OpenedPdf, openPdf } from '../pdfium/opened-pdf.ts';
import { linesOf } from './cover-page.ts';
import { assertPrintable } from './printable.ts';

/** Size of the text in a field that leaves it open, and the smallest that a fax keeps readable, in points. */
const usualSize = 12;
const smallestSize = 8;
const lineFactor = 1.3;
const padding = 2;

/** Fills the form fields of a PDF of one page and returns it as a PDF without fields. Fields without a value stay empty. */
export function fillCoverForm(
  engine: PdfiumEngine,
  file: Uint8Array,
  values: Readonly<Record<string, string>>,
): Buffer {
  const fonts = createTextFonts();
  using pdf = openPdf(engine, file);
  const { widthPt, heightPt } = pdf.withPage(0, (page) => pdf.pageSize(page));
  const fields = takeTextFields(pdf);
  const filled = fields.filter(({ name }) => (values[name] ?? '') !== '');
  assertPrintable(
    fonts,
    filled.map(({ name }) => values[name] ?? ''),
  );
  flattenPages(pdf);
  const contents = filled.flatMap((field) => linesIn(fonts, field, values[field.name] ?? '')).join('\n');
  const writer = createPdfWriter();
  writer.addPage({ widthPt, heightPt, resources: fonts.write(writer), contents });
  using overlay: OpenedPdf = openPdf(engine, writer.finish());
  using pages = createPacketPages(engine);
  const page = pages.add(pdf);
  const numberPage = pages.add(overlay);
  const sheet = { widthPt, heightPt, scale: 1, leftPt: 0 };
  return pages.join([{ sheet, page, numberPage }], () => undefined);
}

function linesIn(fonts: TextFonts, field: FormField, text: string): string[] {
  const width = field.width - 2 * padding;
  const height = field.height - padding;
  const shown = field.isMultiline ? text : text.replaceAll(/\s+/gu, ' ');
  const largest = field.fontSize > 0 ? field.fontSize : Math.min(usualSize, field.height * 0.75);
  for (let size = largest; ; size -= 0.5) {
    const lines = linesOf(fonts, shown, size, width);
    const isSmall = size - 0.5 < Math.min(smallestSize, largest);
    const fits = field.isMultiline ? lines.length * size * lineFactor <= height : lines.length === 1;
    if (!fits && isSmall)
      throw new DocumentError(
        'too_large',
        `The text for the field “${field.name}” does not fit into it. Shorten it.`,
      );
    if (!fits) continue;
    const first = field.isMultiline
      ? field.bottom + field.height - padding - size
      : field.bottom + (field.height - size * 0.72) / 2;
    return lines.flatMap((line, i) =>
      line === '' ? [] : [fonts.show(line, field.left + padding, first - i * size * lineFactor, size)],
    );
  }
}
