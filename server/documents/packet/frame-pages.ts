import { createPdfWriter, type PdfWriter } from '../pdf/pdf-writer.ts';
import { createTextFonts, type TextFonts } from '../pdf/text-line.ts';
import { wrapWords } from '../pdf/wrap-words.ts';
import { type PacketEntry, packetWords } from './packet-words.ts';

/** The common part of A4 and US Letter in points, so that every machine prints all of it. */
const widthPt = 595.28;
const heightPt = 792;
const margin = 54;
/** Room for the header line of the sending machine and the number of the page. */
const topBaseline = heightPt - 84;
const bottomBaseline = 48;
const titleSize = 22;
const textSize = 12;
const lineHeight = 17;
const noteSize = 10.5;
/** Right edges of the columns with the pages and the page number. */
const pagesEdge = widthPt - margin - 76;
const pageEdge = widthPt - margin;
const titleWidth = pagesEdge - 60 - margin;

/** Text on a page: where it begins, or where it ends. */
interface Line {
  readonly text: string;
  readonly size: number;
  readonly y: number;
  readonly left?: number;
  readonly right?: number;
}

type Page = Line[];

/** A row of the index before it has its place: its lines from top to bottom. */
interface Row {
  readonly lines: readonly { readonly text: string; readonly size: number }[];
  readonly columns: readonly { readonly text: string; readonly right: number }[];
}

interface IndexContent {
  readonly caseId: string;
  /** Texts below the title. */
  readonly heading: readonly string[];
  readonly entries: readonly PacketEntry[];
  /** Pages of the packet. */
  readonly pages: number;
}

/** Draws the pages that a packet adds. */
export function createFramePages(): FramePages {
  return new FramePages();
}

class FramePages {
  readonly #fonts = createTextFonts();
  readonly #pages: { readonly size: { widthPt: number; heightPt: number }; readonly lines: Page }[] = [];

  /** Counts the pages of an index. Page numbers do not change it. */
  countIndexPages(content: IndexContent): number {
    return layOutIndex(this.#fonts, content).length;
  }

  addIndex(content: IndexContent): void {
    for (const lines of layOutIndex(this.#fonts, content))
      this.#pages.push({ size: { widthPt, heightPt }, lines });
  }

  addSeparator(caseId: string, place: { number: number; documents: number }, entry: SentEntry): void {
    const lines: Page = [];
    let y = heightPt / 2 + 130;
    const write = (text: string, size: number, line: number, maxLines: number): void => {
      for (const part of wrap(this.#fonts, text, { size, width: widthPt - 2 * margin, maxLines })) {
        lines.push({ text: part, size, y, left: margin });
        y -= line;
      }
      y -= 10;
    };
    write(packetWords.document(place.number, place.documents), 16, 34, 1);
    write(entry.title, 30, 36, 6);
    write(packetWords.pagesFrom(entry.pages, entry.firstPage), 16, 20, 1);
    write(packetWords.title({ caseId }), 13, 18, 2);
    this.#pages.push({ size: { widthPt, heightPt }, lines });
  }

  /** Adds a page with nothing but the number of a page, in the middle. */
  addNumber(
    text: string,
    {
      widthPt,
      heightPt,
      number,
    }: { widthPt: number; heightPt: number; number: { baselinePt: number; sizePt: number } },
  ): void {
    const left = Math.max((widthPt - this.#fonts.width(text, number.sizePt)) / 2, 0);
    const line = { text, size: number.sizePt, y: number.baselinePt, left };
    this.#pages.push({ size: { widthPt, heightPt }, lines: [line] });
  }

  /** Returns all pages in the order in which they were added, as a PDF. */
  finish(maxBytes: number): Buffer {
    const writer = createPdfWriter(maxBytes);
    const contents = this.#pages.map(({ lines }) => lines.map((line) => this.#draw(line)).join('\n'));
    const resources = this.#fonts.write(writer);
    for (const [i, { size }] of this.#pages.entries())
      addPage(writer, { ...size, resources, contents: contents[i] ?? '' });
    return writer.finish();
  }

  #draw({ text, size, y, left, right }: Line): string {
    const x = left ?? (right ?? 0) - this.#fonts.width(text, size);
    return this.#fonts.show(text, x, y, size);
  }
}

type SentEntry = Extract<PacketEntry, { pages: number }>;

const addPage = (writer: PdfWriter, page: Parameters<PdfWriter['addPage']>[0]): void => writer.addPage(page);

function layOutIndex(fonts: TextFonts, { caseId, heading, entries, pages }: IndexContent): Page[] {
  const laid: Page[] = [];
  let page: Page = [];
  let y = topBaseline;
  const begin = (): void => {
    page = [];
    laid.push(page);
    y = topBaseline;
  };
  const column = (text: string, right: number) => page.push({ text, size: textSize, y, right });
  const write = (text: string, size: number, line: number, maxLines: number): void => {
    for (const part of wrap(fonts, text, { size, width: widthPt - 2 * margin, maxLines })) {
      page.push({ text: part, size, y, left: margin });
      y -= line;
    }
  };
  begin();
  write(packetWords.title({ caseId }), titleSize, 27, 2);
  for (const text of [...heading, packetWords.total(pages)]) write(text, textSize, lineHeight, 2);
  y -= 16;
  const headColumns = (): void => {
    page.push({ text: packetWords.contents, size: textSize, y, left: margin });
    column(packetWords.pagesColumn, pagesEdge);
    column(packetWords.pageColumn, pageEdge);
    y -= lineHeight + 6;
  };
  headColumns();
  for (const [i, entry] of entries.entries()) {
    const row = rowOf(fonts, i + 1, entry);
    if (y - (row.lines.length - 1) * lineHeight < bottomBaseline) {
      begin();
      headColumns();
    }
    for (const { text, right } of row.columns) column(text, right);
    for (const { text, size } of row.lines) {
      page.push({ text, size, y, left: margin });
      y -= lineHeight;
    }
    y -= 4;
  }
  return laid;
}

function rowOf(fonts: TextFonts, number: number, entry: PacketEntry): Row {
  const title = wrap(fonts, `${number}. ${entry.title}`, { size: textSize, width: titleWidth, maxLines: 2 });
  const lines = title.map((text) => ({ text, size: textSize }));
  if ('pages' in entry)
    return {
      lines,
      columns: [
        { text: String(entry.pages), right: pagesEdge },
        { text: String(entry.firstPage), right: pageEdge },
      ],
    };
  const notes = wrap(fonts, entry.note, { size: noteSize, width: widthPt - 2 * margin, maxLines: 2 });
  return { lines: [...lines, ...notes.map((text) => ({ text, size: noteSize }))], columns: [] };
}

function wrap(
  fonts: TextFonts,
  text: string,
  { size, width, maxLines }: { size: number; width: number; maxLines: number },
): string[] {
  return wrapWords(text, { maxLines, fits: (part) => fonts.width(part, size) <= width });
}
