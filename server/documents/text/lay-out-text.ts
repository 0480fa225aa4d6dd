import { DocumentError } from '../document-error.ts';
import { maxPages, tooManyPages } from '../limits.ts';
import type { EmbeddedFont, EmbeddedGlyph } from '../pdf/embedded-font.ts';

export const columnsOfPage = 80;
export const rowsOfPage = 60;
const tabColumns = 8;
/** No longer line fits on the pages: a row takes a space at its end beside its columns. */
const maxColumns = maxPages * rowsOfPage * (columnsOfPage + 1);

/** A character in its place: `columns` is 2 for full-width East Asian characters. */
export interface Cell {
  font: number;
  glyph: EmbeddedGlyph;
  columns: number;
}

/** A row of cells; null is a space. */
export type Row = (Cell | null)[];

/** Marks without a picture of their own: joiners, direction marks, variation selectors, soft hyphens. */
const ignorable = /[\p{Default_Ignorable_Code_Point}]/gu;
/** Scripts that need joining, reordering or right-to-left order, which this layout does not do. */
export const needsShaping =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Mongolian}\p{M}]/u;

/**
 * Breaks text into pages of 60 rows of 80 columns: form feeds start a page, tabs go to the next multiple of eight, long
 * lines go on in the next row. Throws when a character cannot be printed or the pages are too many.
 */
export function layOutText(text: string, fonts: EmbeddedFont[]): Row[][] {
  const shown = text.replace(ignorable, '').replace(/\f$/, '');
  const cells = new CellFinder(fonts);
  const pages: Row[][] = [];
  for (const sheet of partsOf(shown, '\f')) {
    let page: Row[] = [];
    pages.push(page);
    for (const line of partsOf(sheet.replace(/\n$/, ''), '\n')) {
      for (const row of wrap(cells.row(line))) {
        if (page.length === rowsOfPage) pages.push((page = []));
        page.push(row);
        if (pages.length > maxPages) throw new DocumentError('too_large', tooManyPages());
      }
    }
  }
  return pages;
}

/** Yields the parts between the separators, one after another: a file of nothing but line ends has millions. */
function* partsOf(text: string, separator: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  yield text.slice(start);
}

/** Breaks a row after the last space that leaves a part which fits, or within a word that is longer than a row. */
function wrap(row: Row): Row[] {
  if (row.length <= columnsOfPage / 2) return [row];
  const rows: Row[] = [];
  let start = 0;
  let space = -1;
  let width = 0;
  for (let i = 0; i < row.length; i++) {
    const columns = row[i]?.columns ?? 1;
    if (width + columns > columnsOfPage) {
      const end = row[i] === null ? i : space > start ? space : i - 1;
      rows.push(row.slice(start, end + 1));
      start = end + 1;
      width = widthOf(row, start, i);
    }
    if (start <= i) width += columns;
    if (row[i] === null) space = i;
  }
  if (start < row.length || rows.length === 0) rows.push(row.slice(start));
  return rows;
}

function widthOf(row: Row, start: number, end: number): number {
  let width = 0;
  for (let i = start; i < end; i++) width += row[i]?.columns ?? 1;
  return width;
}

class CellFinder {
  readonly #fonts: EmbeddedFont[];
  readonly #known = new Map<number, Cell>();
  #line = 0;

  constructor(fonts: EmbeddedFont[]) {
    this.#fonts = fonts;
  }

  row(line: string): Row {
    this.#line += 1;
    const row: Row = [];
    let column = 0;
    let blanks = 0;
    for (const character of line) {
      if (character === '\t' || character === ' ' || character === '\u00a0') {
        const wide = character === '\t' ? tabColumns - (column % tabColumns) : 1;
        blanks += wide;
        column += wide;
        continue;
      }
      if (column > maxColumns) throw new DocumentError('too_large', tooManyPages());
      for (; blanks > 0; blanks--) row.push(null);
      const cell = this.#cell(character);
      row.push(cell);
      column += cell.columns;
    }
    return row;
  }

  #cell(character: string): Cell {
    const codePoint = character.codePointAt(0)!;
    const known = this.#known.get(codePoint) ?? this.#find(character, codePoint);
    this.#known.set(codePoint, known);
    return known;
  }

  #find(character: string, codePoint: number): Cell {
    if (needsShaping.test(character)) {
      throw new DocumentError(
        'unsupported',
        `Line ${this.#line} contains ${nameOf(character)}, a script that cannot be printed from a text file. Send it as a PDF.`,
      );
    }
    for (const [font, embedded] of this.#fonts.entries()) {
      const glyph = embedded.glyph(codePoint);
      if (glyph !== null) return { font, glyph, columns: glyph.width > 750 ? 2 : 1 };
    }
    throw new DocumentError(
      'unsupported',
      `Line ${this.#line} contains ${nameOf(character)}, a character that cannot be printed from a text file. Send it as a PDF.`,
    );
  }
}

function nameOf(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return `"${character}" (U+${code})`;
}
