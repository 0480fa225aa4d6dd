import type { EditedPage, PageMark } from '../../../shared/page-edits.ts';
import { number, type PdfWriter } from '../pdf/pdf-writer.ts';
import { createTextFonts, type TextFonts } from '../pdf/text-line.ts';
import type { Placement } from '../raster/page-geometry.ts';
import type { OneBitPage } from '../t4/one-bit-page.ts';
import { onCutPage } from './place-box.ts';

const pointsAcross = 72 / 204;
const pointsDown = 72 / 196;
/** Of the size of a text: from its top to its baseline, and from line to line. */
const ASCENT = 0.93;
const LINE = 1.25;
/** Corners of a check mark in shares of its box, and the width of its line in shares of the shorter side. */
const TICK = [
  [0.08, 0.55],
  [0.38, 0.88],
  [0.92, 0.1],
] as const;
const TICK_LINE = 0.14;

interface MarkedPage {
  readonly edit: EditedPage;
  readonly placement: Placement;
}

/** Collects pages with their pictures, and writes them with texts and ticks at the end, when all characters are known. */
export function createMarkWriter(): MarkWriter {
  return new MarkWriter();
}

class MarkWriter {
  readonly #pages: { widthPt: number; heightPt: number; picture: number; contents: string }[] = [];
  #fonts: TextFonts | null = null;

  addPage(picture: number, page: Pick<OneBitPage, 'width' | 'height'>, marked: MarkedPage): void {
    const [widthPt, heightPt] = [page.width * pointsAcross, page.height * pointsDown];
    const shown = `q ${number(widthPt)} 0 0 ${number(heightPt)} 0 0 cm /P Do Q`;
    const marks = marked.edit.marks.flatMap((mark) => this.#show(mark, marked, heightPt));
    this.#pages.push({ widthPt, heightPt, picture, contents: [shown, ...marks].join('\n') });
  }

  finish(writer: PdfWriter): void {
    const fonts = this.#fonts?.write(writer) ?? '';
    for (const { picture, ...page } of this.#pages)
      writer.addPage({ ...page, resources: `/XObject << /P ${picture} 0 R >> ${fonts}` });
  }

  #show(mark: PageMark, { edit, placement }: MarkedPage, heightPt: number): string[] {
    const across = (share: number) => (placement.left + share * placement.width) * pointsAcross;
    const down = (share: number) => heightPt - (placement.top + share * placement.height) * pointsDown;
    if (mark.kind === 'tick') {
      const box = onCutPage(mark.box, edit.crop);
      if (box === null) return [];
      const corners = TICK.map(
        ([x, y]) => `${number(across(box.x + x * box.width))} ${number(down(box.y + y * box.height))}`,
      );
      const side = Math.min(across(box.width) - across(0), down(0) - down(box.height));
      return [
        `q 0 G 1 J 1 j ${number(Math.max(side * TICK_LINE, 0.8))} w ${corners[0]} m ${corners[1]} l ${corners[2]} l S Q`,
      ];
    }
    if (mark.kind !== 'text') return [];
    const { crop } = edit;
    const x = crop === null ? mark.x : (mark.x - crop.x) / crop.width;
    const y = crop === null ? mark.y : (mark.y - crop.y) / crop.height;
    const fonts = (this.#fonts ??= createTextFonts());
    return mark.text
      .split('\n')
      .flatMap((line, i) =>
        line === '' ? [] : fonts.show(line, across(x), down(y) - (ASCENT + i * LINE) * mark.size, mark.size),
      );
  }
}
