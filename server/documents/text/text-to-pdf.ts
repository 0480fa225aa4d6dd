import { DocumentError } from '../document-error.ts';
import { maxTextBytes, tooComplex } from '../limits.ts';
import { createEmbeddedFont, hex } from '../pdf/embedded-font.ts';
import { createPdfWriter, number } from '../pdf/pdf-writer.ts';
import { decodeText } from './decode-text.ts';
import { type Cell, columnsOfPage, layOutText, type Row, rowsOfPage } from './lay-out-text.ts';

/** A4 in points, with margins of 15 mm: room for the header line. */
const page = { widthPt: 595.28, heightPt: 841.89 };
const margin = 42;
const columnPt = (page.widthPt - 2 * margin) / columnsOfPage;
/** DejaVu Sans Mono advances by 0.602 of its size: one column. */
const fontSize = Number((columnPt / 0.602).toFixed(3));
const rowPt = (page.heightPt - 2 * margin) / rowsOfPage;

/** Prints a text file on A4 pages, 80 columns by 60 rows, and returns the PDF. The same bytes give the same PDF. */
export function textToPdf(bytes: Uint8Array, maxBytes?: number): Buffer {
  if (bytes.length > maxTextBytes) throw new DocumentError('too_large', tooComplex);
  const fonts = [createEmbeddedFont('sansMono'), createEmbeddedFont('eastAsian')];
  const pages = layOutText(decodeText(bytes), fonts);
  const space = hex(fonts[0]!.glyph(0x20)!.id);
  const writer = createPdfWriter(maxBytes);
  const ids = fonts.map(() => writer.reserve());
  const names = fonts.flatMap((font, i) => (font.isUsed ? [`/F${i} ${ids[i]} 0 R`] : []));
  for (const rows of pages) {
    writer.addPage({
      ...page,
      resources: `/Font << ${names.join(' ')} >>`,
      contents: contentsOf(rows, space),
    });
  }
  for (const [i, font] of fonts.entries()) {
    if (font.isUsed) font.write(writer, ids[i]);
  }
  return writer.finish();
}

function contentsOf(rows: Row[], space: string): string {
  const lines: string[] = ['BT'];
  for (const [i, row] of rows.entries()) {
    const baseline = page.heightPt - margin - (i + 1) * rowPt + 0.25 * rowPt;
    lines.push(...runsOf(row).map((run) => showRun(run, baseline, space)));
  }
  lines.push('ET');
  return lines.join('\n');
}

interface Run {
  column: number;
  font: number;
  /** Null is a space, set as a character of the monospaced font. */
  cells: Row;
}

/** Cells of one font side by side. Spaces go on a run of the monospaced font and end any other. */
function runsOf(row: Row): Run[] {
  const runs: Run[] = [];
  let column = 0;
  let open: Run | null = null;
  for (const cell of row) {
    const font: number = cell?.font ?? 0;
    if (open !== null && open.font === font) {
      open.cells.push(cell);
    } else if (cell === null) {
      open = null;
    } else {
      open = { column, font, cells: [cell] };
      runs.push(open);
    }
    column += cell?.columns ?? 1;
  }
  return runs;
}

/** One run: every glyph advances by whole columns whatever its own width. */
function showRun(run: Run, baseline: number, space: string): string {
  const pieces = run.cells.map((cell) => (cell === null ? space : shown(cell)));
  const x = number(margin + run.column * columnPt);
  return `/F${run.font} ${fontSize} Tf 1 0 0 1 ${x} ${number(baseline)} Tm [<${pieces.join('')}>] TJ`;
}

function shown({ glyph, columns }: Cell): string {
  const correction = Math.round(glyph.width - (columns * columnPt * 1000) / fontSize);
  return correction === 0 ? hex(glyph.id) : `${hex(glyph.id)}>${correction}<`;
}
