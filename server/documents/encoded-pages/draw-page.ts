import { faxWidth } from '../raster/page-geometry.ts';
import { blankPage, type OneBitPage } from '../t4/one-bit-page.ts';
import { toDrawnBytes } from './page-bits.ts';
import {
  CELL_HEIGHT,
  CELL_WIDTH,
  codewordsOf,
  dataColumns,
  type EncodedPaper,
  FINDER_LEFTS,
  FINDER_MODULE,
  FINDER_SIDE,
  GRID_COLUMNS,
  GRID_LEFT,
  GRID_TOP,
  gridRows,
  isBlackInFinder,
  isBlackInMark,
  isMarkRow,
  lowerFinderTop,
  MARK_CELLS,
  PAPERS,
  TILE_HEIGHT,
  TILE_WIDTH,
} from './page-layout.ts';

/** Draws the finders and the cells of a page that holds `data`; the words above them are left out. */
export function drawEncodedPage(data: Uint8Array, tileRows: number, paper: EncodedPaper): OneBitPage {
  const page = blankPage(faxWidth, PAPERS[paper].lines);
  drawFinders(page, tileRows);
  const rows = gridRows(tileRows);
  const codewords = codewordsOf(tileRows);
  const bytes = toDrawnBytes(data, codewords);
  let bit = 0;
  for (let row = 0; row < rows; row++) {
    const start = (GRID_TOP + row * CELL_HEIGHT) * page.stride;
    const line = page.rows.subarray(start, start + page.stride);
    if (isMarkRow(row)) drawMarkRow(line, row % TILE_HEIGHT);
    for (const column of dataColumns(row)) {
      const byte = bytes[bit >> 3] ?? 0;
      if (((byte >> (7 - (bit & 7))) & 1) === 1) drawCell(line, column);
      bit++;
    }
    for (let copy = 1; copy < CELL_HEIGHT; copy++) page.rows.set(line, start + copy * page.stride);
  }
  return page;
}

function drawCell(line: Uint8Array, column: number): void {
  const left = GRID_LEFT + column * CELL_WIDTH;
  for (let x = left; x < left + CELL_WIDTH; x++) line[x >> 3]! |= 0x80 >> (x & 7);
}

function drawMarkRow(line: Uint8Array, rowInMark: number): void {
  for (let first = 0; first < GRID_COLUMNS; first += TILE_WIDTH)
    for (let column = 0; column < MARK_CELLS; column++)
      if (isBlackInMark(rowInMark, column)) drawCell(line, first + column);
}

function drawFinders(page: OneBitPage, tileRows: number): void {
  for (const top of [GRID_TOP, lowerFinderTop(tileRows)])
    for (const left of FINDER_LEFTS)
      for (let y = 0; y < FINDER_SIDE; y++)
        for (let x = 0; x < FINDER_SIDE; x++)
          if (isBlackInFinder(Math.floor(y / FINDER_MODULE), Math.floor(x / FINDER_MODULE)))
            page.rows[(top + y) * page.stride + ((left + x) >> 3)]! |= 0x80 >> ((left + x) & 7);
}
