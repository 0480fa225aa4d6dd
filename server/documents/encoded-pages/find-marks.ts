import type { GreyPage } from '../raster/threshold.ts';
import type { Frame, Point } from './find-frames.ts';
import {
  CELL_HEIGHT,
  CELL_WIDTH,
  FINDER_DISTANCE,
  FINDER_LEFTS,
  FINDER_SIDE,
  finderHeight,
  GRID_LEFT,
  isBlackInMark,
  MARK_CELLS,
  MARK_REACH,
  TILE_COLUMNS,
  TILE_HEIGHT,
  TILE_WIDTH,
} from './page-layout.ts';

/** The centers of the marks, row after row, and the share of them that was seen. */
export interface MarkLattice {
  xs: Float64Array;
  ys: Float64Array;
  isSeen: Uint8Array;
  share: number;
  /** Width and height of a cell in pixels. */
  cellWidth: number;
  cellHeight: number;
}

/** Marks of a row. */
export const MARK_COLUMNS = TILE_COLUMNS + 1;
const MARK_COUNT = MARK_CELLS * MARK_CELLS;
/** Pixels around the expected place in which a mark is searched, and the lines where lines are missing between two rows. */
const REACH = { x: 4, y: 6 };
const FAR_REACH = { x: 4, y: 18 };
/** A mark without damage has the score 1; among many places one of random cells comes near the first of these. */
const NEAR_SCORE = 0.45;
const FAR_SCORE = 0.6;
/** Share of the marks of a row that must be seen near their places; otherwise they are searched farther away. */
const ROW_SHARE = 0.6;
/** Difference from the other marks of the row, in pixels, from which a mark is taken for a wrong one. */
const OUTLIER = 2.5;
/** Scores so near to the best one belong to the same mark. */
const PLATEAU = 0.12;

/** Finds the marks of a frame row after row: each row is searched where the row above leads to expect it. */
export function findMarks(page: GreyPage, frame: Frame): MarkLattice {
  const search = createMarkSearch(page, frame);
  const count = MARK_COLUMNS * (frame.tileRows + 1);
  const lattice: MarkLattice = {
    xs: new Float64Array(count),
    ys: new Float64Array(count),
    isSeen: new Uint8Array(count),
    share: 0,
    cellWidth: search.cellWidth,
    cellHeight: search.cellHeight,
  };
  let drift: Point = { x: 0, y: 0 };
  let seen = 0;
  for (let row = 0; row <= frame.tileRows; row++) {
    const expected = Array.from({ length: MARK_COLUMNS }, (_, column) => search.place(column, row));
    const { marks, drift: found } = findRow(search, expected, drift);
    drift = found;
    for (const [column, mark] of marks.entries()) {
      const at = row * MARK_COLUMNS + column;
      const { x, y } = mark ?? { x: expected[column]!.x + drift.x, y: expected[column]!.y + drift.y };
      lattice.xs[at] = x;
      lattice.ys[at] = y;
      lattice.isSeen[at] = mark === null ? 0 : 1;
      if (mark !== null) seen++;
    }
  }
  lattice.share = seen / count;
  return lattice;
}

/** Marks of a row, null where none was seen, and how far the row is from where the frame leads to expect it. */
function findRow(
  search: MarkSearch,
  expected: readonly Point[],
  drift: Point,
): { marks: (Point | null)[]; drift: Point } {
  const find = (from: Point, reach: Point, least: number): (Point | null)[] =>
    expected.map(({ x, y }) => search.find(x + from.x, y + from.y, reach, least));
  const isEnough = (marks: (Point | null)[]): boolean =>
    marks.filter((mark) => mark !== null).length >= ROW_SHARE * MARK_COLUMNS;
  let marks = find(drift, REACH, NEAR_SCORE);
  if (!isEnough(marks)) {
    const far = find(drift, FAR_REACH, FAR_SCORE);
    if (isEnough(far)) marks = far;
  }
  const shifts = marks.flatMap((mark, i) =>
    mark === null ? [] : [{ x: mark.x - expected[i]!.x, y: mark.y - expected[i]!.y }],
  );
  if (shifts.length === 0) return { marks, drift };
  const middle = { x: medianOf(shifts.map(({ x }) => x)), y: medianOf(shifts.map(({ y }) => y)) };
  const agreed = marks.map((mark, i) => {
    const { x, y } = { x: expected[i]!.x + middle.x, y: expected[i]!.y + middle.y };
    const isNear = mark !== null && Math.abs(mark.x - x) <= OUTLIER && Math.abs(mark.y - y) <= OUTLIER;
    return isNear ? mark : search.find(x, y, { x: 2, y: 2 }, NEAR_SCORE);
  });
  return { marks: agreed, drift: middle };
}

function medianOf(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

interface MarkSearch {
  cellWidth: number;
  cellHeight: number;
  /** Returns the place at which the frame leads to expect a mark. */
  place(column: number, row: number): Point;
  /** Returns the center of the mark near a place; null when none has the least score. */
  find(x: number, y: number, reach: Point, leastScore: number): Point | null;
}

function createMarkSearch(page: GreyPage, frame: Frame): MarkSearch {
  const { upperLeft, upperRight, lowerLeft, lowerRight, tileRows } = frame;
  const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
  const width = (distance(upperLeft, upperRight) + distance(lowerLeft, lowerRight)) / 2;
  const height = (distance(upperLeft, lowerLeft) + distance(upperRight, lowerRight)) / 2;
  const cellWidth = (width / FINDER_DISTANCE) * CELL_WIDTH;
  const cellHeight = (height / finderHeight(tileRows)) * CELL_HEIGHT;
  const template = createTemplate(page.width, cellWidth, cellHeight);
  const margin = { x: Math.ceil(MARK_REACH * cellWidth) + 1, y: Math.ceil(MARK_REACH * cellHeight) + 1 };
  return {
    cellWidth,
    cellHeight,
    place: (column, row) => {
      const middle = MARK_REACH * CELL_WIDTH + (CELL_WIDTH - FINDER_SIDE) / 2;
      const u = (GRID_LEFT - FINDER_LEFTS[0] + middle + column * TILE_WIDTH * CELL_WIDTH) / FINDER_DISTANCE;
      const down = MARK_REACH * CELL_HEIGHT + (CELL_HEIGHT - FINDER_SIDE) / 2;
      const v = (down + row * TILE_HEIGHT * CELL_HEIGHT) / finderHeight(tileRows);
      return { x: between(frame, 'x', u, v), y: between(frame, 'y', u, v) };
    },
    find: (x, y, reach, leastScore) => {
      const [left, top] = [Math.round(x) - reach.x, Math.round(y) - reach.y];
      const columns = 2 * reach.x + 1;
      const rows = 2 * reach.y + 1;
      const isInside =
        left >= margin.x &&
        top >= margin.y &&
        left + columns + margin.x <= page.width &&
        top + rows + margin.y <= page.height;
      return isInside ? bestPlace(page, template, { left, top, columns, rows }, leastScore) : null;
    },
  };
}

function between(frame: Frame, axis: 'x' | 'y', u: number, v: number): number {
  const upper = frame.upperLeft[axis] * (1 - u) + frame.upperRight[axis] * u;
  const lower = frame.lowerLeft[axis] * (1 - u) + frame.lowerRight[axis] * u;
  return upper * (1 - v) + lower * v;
}

/** Distances from the center of a mark to its black cells, then to its white ones, in places of the pixels. */
interface Template {
  blacks: Int32Array;
  whites: Int32Array;
}

function createTemplate(pageWidth: number, cellWidth: number, cellHeight: number): Template {
  const blacks: number[] = [];
  const whites: number[] = [];
  for (let i = 0; i < MARK_COUNT; i++) {
    const [row, column] = [Math.floor(i / MARK_CELLS), i % MARK_CELLS];
    const down = Math.round((row - MARK_REACH) * cellHeight);
    const across = Math.round((column - MARK_REACH) * cellWidth);
    (isBlackInMark(row, column) ? blacks : whites).push(down * pageWidth + across);
  }
  return { blacks: Int32Array.from(blacks), whites: Int32Array.from(whites) };
}

interface Window {
  left: number;
  top: number;
  columns: number;
  rows: number;
}

const scores = new Float64Array((2 * FAR_REACH.x + 1) * (2 * FAR_REACH.y + 1));

/** The middle of the places with the best score: a mark fits as long as each point lies in its cell. */
function bestPlace(page: GreyPage, template: Template, window: Window, leastScore: number): Point | null {
  const { left, top, columns, rows } = window;
  let best = -1;
  let bestAt = 0;
  for (let row = 0, at = 0; row < rows; row++) {
    const start = (top + row) * page.width + left;
    for (let column = 0; column < columns; column++, at++) {
      const score = scoreOf(page.pixels, template, start + column);
      scores[at] = score;
      if (score > best) {
        best = score;
        bestAt = at;
      }
    }
  }
  if (best < leastScore) return null;
  const [bestColumn, bestRow] = [bestAt % columns, Math.floor(bestAt / columns)];
  let [sum, x, y] = [0, 0, 0];
  for (let row = Math.max(bestRow - CELL_HEIGHT, 0); row <= Math.min(bestRow + CELL_HEIGHT, rows - 1); row++)
    for (
      let column = Math.max(bestColumn - CELL_WIDTH, 0);
      column <= Math.min(bestColumn + CELL_WIDTH, columns - 1);
      column++
    ) {
      const weight = scores[row * columns + column]! - (best - PLATEAU);
      if (weight <= 0) continue;
      sum += weight;
      x += weight * column;
      y += weight * row;
    }
  return { x: left + x / sum, y: top + y / sum };
}

const FULL = 255;

function scoreOf(pixels: Uint8Array, { blacks, whites }: Template, center: number): number {
  let black = 0;
  let white = 0;
  for (let i = 0; i < blacks.length; i++) black += pixels[center + blacks[i]!]!;
  for (let i = 0; i < whites.length; i++) white += pixels[center + whites[i]!]!;
  return (white / whites.length - black / blacks.length) / FULL;
}
