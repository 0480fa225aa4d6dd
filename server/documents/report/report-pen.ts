import type { EncodedPaper } from '../encoded-pages/page-layout.ts';
import { number, type PdfWriter } from '../pdf/pdf-writer.ts';
import { createTextFonts } from '../pdf/text-line.ts';
import { wrapWords } from '../pdf/wrap-words.ts';

/** Sizes in points. */
const PAPERS: Readonly<Record<EncodedPaper, { widthPt: number; heightPt: number }>> = {
  a4: { widthPt: 595.28, heightPt: 841.89 },
  letter: { widthPt: 612, heightPt: 792 },
};
const margin = 54;
const footerBaseline = 36;
const footerSize = 7.5;
const footerLine = 10;

/** Look of a text; `line` is the distance to the next line in points. */
export interface TextStyle {
  readonly size: number;
  readonly line: number;
  readonly isBold?: boolean;
  readonly isQuiet?: boolean;
}

/** Draws on pages from top to bottom. */
export function createReportPen(paper: EncodedPaper): ReportPen {
  return new ReportPen(paper);
}

export type { ReportPen };

class ReportPen {
  readonly #fonts = createTextFonts();
  readonly #pages: string[][] = [[]];
  readonly #size: { readonly widthPt: number; readonly heightPt: number };
  /** Baseline of the next line. */
  y: number;

  constructor(paper: EncodedPaper) {
    this.#size = PAPERS[paper];
    this.y = this.top;
  }

  get left(): number {
    return margin;
  }

  get right(): number {
    return this.#size.widthPt - margin;
  }

  get width(): number {
    return this.right - this.left;
  }

  get top(): number {
    return this.#size.heightPt - 62;
  }

  /** Lowest baseline above the footer. */
  get bottom(): number {
    return footerBaseline + 40;
  }

  get isOnFirstPage(): boolean {
    return this.#pages.length === 1;
  }

  /** Begins a new page where `height` does not fit on this one. Returns true when it did. */
  ensure(height: number): boolean {
    if (this.y - height >= this.bottom) return false;
    this.#pages.push([]);
    this.y = this.top;
    return true;
  }

  wrap(text: string, { size, isBold = false }: TextStyle, width: number, maxLines = 40): string[] {
    const room = isBold ? width * 0.97 : width;
    return wrapWords(text, { fits: (line) => this.#fonts.width(line, size) <= room, maxLines });
  }

  /** Shows one line at a baseline, from `x` on or up to `right`. */
  show(text: string, place: { x?: number; right?: number; y?: number }, style: TextStyle): void {
    const x =
      place.right === undefined ? (place.x ?? margin) : place.right - this.#fonts.width(text, style.size);
    this.#draw(this.#styled(this.#fonts.show(text, x, place.y ?? this.y, style.size), style));
  }

  /** Shows a text over the whole width, with new pages where it needs them. */
  paragraph(text: string, style: TextStyle, maxLines = 40): void {
    for (const line of this.wrap(text, style, this.width, maxLines)) {
      this.ensure(0);
      this.show(line, {}, style);
      this.y -= style.line;
    }
  }

  rule(y: number, widthPt = 0.5): void {
    const [from, to] = [`${number(margin)} ${number(y)}`, `${number(this.right)} ${number(y)}`];
    this.#draw(`q ${number(widthPt)} w 0.55 G ${from} m ${to} l S Q`);
  }

  frame(x: number, y: number, width: number, height: number): void {
    this.#draw(`q 0.5 w 0.3 G ${[x, y, width, height].map(number).join(' ')} re S Q`);
  }

  /** Draws the picture of the resource `/P`, which the first page alone has. */
  picture(x: number, y: number, width: number, height: number): void {
    this.#draw(`q ${[width, 0, 0, height, x, y].map(number).join(' ')} cm /P Do Q`);
  }

  /** Adds the pages to a file, each with the texts of the footer and its number. */
  write(
    writer: PdfWriter,
    { footer, pictureId }: { footer: readonly string[]; pictureId: number | null },
  ): void {
    const style = { size: footerSize, line: footerLine, isQuiet: true };
    const pages = this.#pages.map((operators, at) => {
      const top = footerBaseline + (footer.length - 1) * footerLine;
      const lines = footer.map((text, row) => {
        const [line = ''] = this.wrap(text, style, this.width - 70, 1);
        return this.#styled(this.#fonts.show(line, margin, top - row * footerLine, footerSize), style);
      });
      const place = `Page ${at + 1} of ${this.#pages.length}`;
      const x = this.right - this.#fonts.width(place, footerSize);
      return [...operators, ...lines, this.#styled(this.#fonts.show(place, x, top, footerSize), style)];
    });
    const fonts = this.#fonts.write(writer);
    for (const [at, operators] of pages.entries()) {
      const resources =
        at === 0 && pictureId !== null ? `${fonts} /XObject << /P ${pictureId} 0 R >>` : fonts;
      writer.addPage({ ...this.#size, resources, contents: operators.join('\n') });
    }
  }

  #draw(operators: string): void {
    this.#pages.at(-1)?.push(operators);
  }

  /** The shipped font has no bold face: its outlines are drawn a little wider. */
  #styled(shown: string, { size, isBold = false, isQuiet = false }: TextStyle): string {
    const gray = isQuiet ? '0.35 g 0.35 G' : '0 g 0 G';
    return `q ${gray} ${isBold ? `2 Tr ${number(size * 0.035)} w` : ''} ${shown} Q`;
  }
}
