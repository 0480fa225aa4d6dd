import type { GreyPage } from '../raster/threshold.ts';
import { MARK_COLUMNS, type MarkLattice } from './find-marks.ts';
import type { ReadBytes } from './page-bits.ts';
import {
  codewordsOf,
  GRID_COLUMNS,
  gridRows,
  isBlackInMark,
  isMarkRow,
  MARK_CELLS,
  MARK_REACH,
  TILE_COLUMNS,
  TILE_HEIGHT,
  TILE_WIDTH,
} from './page-layout.ts';
import { CODEWORD_BYTES } from './reed-solomon.ts';

/** Distance of the four outer points of a cell from its center, in cells. */
const POINT_REACH = 0.27;
const POINTS = 5;
const FULL = 255;

/** Reads the cells of a page between its marks, each at five points. */
export function readCells(page: GreyPage, lattice: MarkLattice, tileRows: number): ReadBytes {
  const length = codewordsOf(tileRows) * CODEWORD_BYTES;
  const bytes = new Uint8Array(length);
  const certainty = new Uint8Array(length).fill(FULL);
  const levels = levelsOf(page, lattice, tileRows);
  const line = new Int16Array(GRID_COLUMNS);
  const bits = length * 8;
  let bit = 0;
  for (let row = 0; row < gridRows(tileRows) && bit < bits; row++) {
    readRow(page, lattice, levels, row, tileRows, line);
    const marks = isMarkRow(row);
    for (let column = 0; column < GRID_COLUMNS && bit < bits; column++) {
      if (marks && column % TILE_WIDTH < MARK_CELLS) continue;
      const value = line[column]!;
      if (value > 0) bytes[bit >> 3]! |= 0x80 >> (bit & 7);
      const certain = Math.abs(value);
      if (certain < certainty[bit >> 3]!) certainty[bit >> 3] = certain;
      bit++;
    }
  }
  return { bytes, certainty };
}

/** Brightness of a tile's black and white: the middle, and what makes 255 of the distance from it. */
interface Level {
  middle: number;
  factor: number;
}

/** Fills `line` with the cells of a row: black above 0, white below, 255 at most. */
function readRow(
  page: GreyPage,
  { xs, ys, cellWidth, cellHeight }: MarkLattice,
  levels: Level[],
  row: number,
  tileRows: number,
  line: Int16Array,
): void {
  const tileRow = Math.min(Math.max(Math.floor((row - MARK_REACH) / TILE_HEIGHT), 0), tileRows - 1);
  const down = (row - MARK_REACH) / TILE_HEIGHT - tileRow;
  for (let tile = 0; tile < TILE_COLUMNS; tile++) {
    const upper = tileRow * MARK_COLUMNS + tile;
    const lower = upper + MARK_COLUMNS;
    const leftX = xs[upper]! * (1 - down) + xs[lower]! * down;
    const leftY = ys[upper]! * (1 - down) + ys[lower]! * down;
    const stepX = (xs[upper + 1]! * (1 - down) + xs[lower + 1]! * down - leftX) / TILE_WIDTH;
    const stepY = (ys[upper + 1]! * (1 - down) + ys[lower + 1]! * down - leftY) / TILE_WIDTH;
    const { middle, factor } = levels[tileRow * TILE_COLUMNS + tile]!;
    const first = tile === 0 ? 0 : tile * TILE_WIDTH + MARK_REACH;
    const end = tile === TILE_COLUMNS - 1 ? GRID_COLUMNS : (tile + 1) * TILE_WIDTH + MARK_REACH;
    for (let column = first; column < end; column++) {
      const along = column - MARK_REACH - tile * TILE_WIDTH;
      const x = leftX + stepX * along;
      const y = leftY + stepY * along;
      const value = (middle - brightnessAt(page, x, y, cellWidth, cellHeight)) * factor;
      line[column] = Math.max(Math.min(Math.round(value), FULL), -FULL) || -1;
    }
  }
}

/** Sum of the five points of a cell; white outside the page. */
function brightnessAt(page: GreyPage, x: number, y: number, cellWidth: number, cellHeight: number): number {
  const { width, height, pixels } = page;
  const across = POINT_REACH * cellWidth;
  const down = POINT_REACH * cellHeight;
  const column = Math.round(x);
  const left = Math.round(x - across);
  const right = Math.round(x + across);
  const line = Math.round(y);
  const above = Math.round(y - down);
  const below = Math.round(y + down);
  if (left < 0 || right >= width || above < 0 || below >= height) return POINTS * FULL;
  const start = line * width;
  return (
    pixels[start + column]! +
    pixels[start + left]! +
    pixels[start + right]! +
    pixels[above * width + column]! +
    pixels[below * width + column]!
  );
}

/** The levels of each tile, from the marks at its corners that were seen; those of the page where none was. */
function levelsOf(page: GreyPage, lattice: MarkLattice, tileRows: number): Level[] {
  const marks = Array.from(lattice.xs, (_, at) =>
    lattice.isSeen[at] === 1 ? markLevels(page, lattice, at) : null,
  );
  const whole = meanLevel(marks);
  const levels: Level[] = [];
  for (let tileRow = 0; tileRow < tileRows; tileRow++)
    for (let tile = 0; tile < TILE_COLUMNS; tile++) {
      const upper = tileRow * MARK_COLUMNS + tile;
      const corners = [upper, upper + 1, upper + MARK_COLUMNS, upper + MARK_COLUMNS + 1].map(
        (at) => marks[at]!,
      );
      levels.push(corners.every((corner) => corner === null) ? whole : meanLevel(corners));
    }
  return levels;
}

interface MarkLevels {
  black: number;
  white: number;
}

function markLevels(page: GreyPage, { xs, ys, cellWidth, cellHeight }: MarkLattice, at: number): MarkLevels {
  let [black, white, blacks] = [0, 0, 0];
  for (let row = 0; row < MARK_CELLS; row++)
    for (let column = 0; column < MARK_CELLS; column++) {
      const x = xs[at]! + (column - MARK_REACH) * cellWidth;
      const y = ys[at]! + (row - MARK_REACH) * cellHeight;
      const value = brightnessAt(page, x, y, cellWidth, cellHeight);
      if (isBlackInMark(row, column)) {
        black += value;
        blacks++;
      } else white += value;
    }
  return { black: black / blacks, white: white / (MARK_CELLS * MARK_CELLS - blacks) };
}

function meanLevel(marks: (MarkLevels | null)[]): Level {
  const seen = marks.filter((mark) => mark !== null);
  const mean = (of: 'black' | 'white'): number => seen.reduce((sum, mark) => sum + mark[of], 0) / seen.length;
  const [black, white] = seen.length === 0 ? [0, POINTS * FULL] : [mean('black'), mean('white')];
  return { middle: (black + white) / 2, factor: (2 * FULL) / Math.max(white - black, FULL) };
}
