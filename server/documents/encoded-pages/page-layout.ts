import { CODEWORD_BYTES, CODEWORD_DATA_BYTES } from './reed-solomon.ts';

/** Paper that encoded pages are made for. */
export type EncodedPaper = 'letter' | 'a4';

/** Pixels of a cell. Four lines are whole even after every second line is gone, and are one group of T.4 two-dimensional coding. */
export const CELL_WIDTH = 3;
export const CELL_HEIGHT = 4;
/**
 * Cells from the center of a mark to the center of the next one across and down. Lines are lost and repeated, dots of a line
 * hardly ever, so that half as many marks are enough across.
 */
export const TILE_WIDTH = 64;
export const TILE_HEIGHT = 32;
/** Tiles side by side. */
export const TILE_COLUMNS = 8;
/** A mark is 5 x 5 cells: a black ring around a white ring around a black cell. */
export const MARK_CELLS = 5;
/** Cells of a mark on either side of its center, which also lie outside the outermost centers. */
export const MARK_REACH = 2;
export const GRID_COLUMNS = TILE_COLUMNS * TILE_WIDTH + MARK_CELLS;

/** Left edge of the first cell, and its first line. */
export const GRID_LEFT = 88;
export const GRID_TOP = 156;
/** Side of a finder in pixels: 7 modules of 6. */
export const FINDER_MODULE = 6;
export const FINDER_SIDE = 7 * FINDER_MODULE;
const FINDER_GAP = 12;
export const FINDER_LEFTS = [
  GRID_LEFT - FINDER_GAP - FINDER_SIDE,
  GRID_LEFT + GRID_COLUMNS * CELL_WIDTH + FINDER_GAP,
] as const;

/** Lines of the paper at 196 per inch, and rows of tiles on a full page. */
export const PAPERS: Readonly<Record<EncodedPaper, { lines: number; tileRows: number }>> = {
  letter: { lines: 2156, tileRows: 15 },
  a4: { lines: 2286, tileRows: 16 },
};
export const MAX_TILE_ROWS = PAPERS.a4.tileRows;

/** Cells of a page with so many rows of tiles, from top to bottom. */
export function gridRows(tileRows: number): number {
  return tileRows * TILE_HEIGHT + MARK_CELLS;
}

/** First line of the lower finders, which end with the grid. */
export function lowerFinderTop(tileRows: number): number {
  return GRID_TOP + gridRows(tileRows) * CELL_HEIGHT - FINDER_SIDE;
}

/** Distance between the centers of the finders of a page. */
export const FINDER_DISTANCE = FINDER_LEFTS[1] - FINDER_LEFTS[0];
export function finderHeight(tileRows: number): number {
  return lowerFinderTop(tileRows) - GRID_TOP;
}

/** Codewords that fit on a page with so many rows of tiles. */
export function codewordsOf(tileRows: number): number {
  const marks = (TILE_COLUMNS + 1) * (tileRows + 1);
  const cells = GRID_COLUMNS * gridRows(tileRows) - marks * MARK_CELLS * MARK_CELLS;
  return Math.floor(cells / (8 * CODEWORD_BYTES));
}

/** Bytes that fit on a page with so many rows of tiles, header included. */
export function pageBytesOf(tileRows: number): number {
  return codewordsOf(tileRows) * CODEWORD_DATA_BYTES;
}

/** Returns the fewest rows of tiles that hold so many bytes. */
export function tileRowsFor(bytes: number): number {
  for (let tileRows = 1; tileRows < MAX_TILE_ROWS; tileRows++)
    if (pageBytesOf(tileRows) >= bytes) return tileRows;
  return MAX_TILE_ROWS;
}

/** Columns of cells of a row that belong to no mark: all, or those between the marks. */
const allColumns = Int16Array.from({ length: GRID_COLUMNS }, (_, column) => column);
const columnsBetweenMarks = allColumns.filter((column) => column % TILE_WIDTH >= MARK_CELLS);

/** Returns true when marks lie in a row of cells. */
export function isMarkRow(row: number): boolean {
  return row % TILE_HEIGHT < MARK_CELLS;
}

/** Returns the columns that carry data in a row of cells, from left to right. */
export function dataColumns(row: number): Int16Array {
  return isMarkRow(row) ? columnsBetweenMarks : allColumns;
}

/** Returns true when a cell of a mark, counted from its upper left corner, is black. */
export function isBlackInMark(row: number, column: number): boolean {
  return Math.max(Math.abs(row - MARK_REACH), Math.abs(column - MARK_REACH)) !== 1;
}

/** Returns true when a module of a finder, counted from its upper left corner, is black. */
export function isBlackInFinder(row: number, column: number): boolean {
  return Math.max(Math.abs(row - 3), Math.abs(column - 3)) !== 2;
}
