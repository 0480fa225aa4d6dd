import type { GreyPage } from '../raster/threshold.ts';
import { areaOf, type Box, boxOf, createDarkness, type Darkness, darknessOf } from './darkness.ts';
import { FINDER_DISTANCE, FINDER_MODULE, finderHeight, MAX_TILE_ROWS } from './page-layout.ts';

/** A point of the page in pixels. */
export interface Point {
  x: number;
  y: number;
}

/** The centers of the four finders, and the rows of tiles that may lie between them. */
export interface Frame {
  upperLeft: Point;
  upperRight: Point;
  lowerLeft: Point;
  lowerRight: Point;
  tileRows: number;
}

interface Finder extends Point {
  score: number;
}

/** Share of the width at either side in which finders are searched, and of the height for the upper ones. */
const SIDE_SHARE = 0.17;
const TOP_SHARE = 0.24;
/** Sizes of a page that a provider made smaller, or one that fills a slightly wider sheet. */
const SCALES = [0.9, 0.94, 0.98, 1.02];
const STEP = 2;
/** A finder without damage has the score 1, letters and pictures have about 0. */
const LEAST_SCORE = 0.35;
const CANDIDATES = 3;
/** Limits of what is taken for a frame: width in relation to the drawn one, slope, and height in relation to the width. */
const LEAST_SCALE = 0.82;
const MOST_SCALE = 1.1;
const MOST_SLOPE = 0.05;
const MOST_STRETCH = 0.14;
/** Pixels to either side of the line on which a lower finder is searched. */
const STRIP_REACH = 14;

/** Finds frames, the likeliest first. None on an ordinary page, after about 10 ms. */
export function* findFrames(page: GreyPage): Generator<Frame> {
  const side = Math.round(page.width * SIDE_SHARE);
  const left = createDarkness(page, 0, side);
  const upperLefts = findUpper(left);
  if (upperLefts.length === 0) return;
  const right = createDarkness(page, page.width - side, page.width);
  const upperRights = findUpper(right);
  for (const { upperLeft, upperRight } of pairsOf(upperLefts, upperRights)) {
    const along = { x: upperRight.x - upperLeft.x, y: upperRight.y - upperLeft.y };
    const distance = Math.hypot(along.x, along.y);
    const down = { x: -along.y / distance, y: along.x / distance };
    const scale = distance / FINDER_DISTANCE;
    const lowerLefts = findLower(left, upperLeft, down, scale);
    const lowerRights = findLower(right, upperRight, down, scale);
    for (const lowerLeft of lowerLefts)
      for (const lowerRight of lowerRights)
        for (const tileRows of rowsBetween(lowerLeft.distance, lowerRight.distance, scale))
          yield { upperLeft, upperRight, lowerLeft, lowerRight, tileRows };
  }
}

function pairsOf(lefts: Finder[], rights: Finder[]): { upperLeft: Finder; upperRight: Finder }[] {
  const pairs = lefts.flatMap((upperLeft) => rights.map((upperRight) => ({ upperLeft, upperRight })));
  const fitting = pairs.filter(({ upperLeft, upperRight }) => {
    const scale = (upperRight.x - upperLeft.x) / FINDER_DISTANCE;
    const slope = Math.abs(upperRight.y - upperLeft.y) / (upperRight.x - upperLeft.x);
    return scale >= LEAST_SCALE && scale <= MOST_SCALE && slope <= MOST_SLOPE;
  });
  const sum = (pair: (typeof pairs)[number]): number => pair.upperLeft.score + pair.upperRight.score;
  return fitting.sort((a, b) => sum(b) - sum(a));
}

function findUpper(darkness: Darkness): Finder[] {
  const found: Finder[] = [];
  const bottom = Math.min(Math.round(darkness.height * TOP_SHARE), darkness.height - STEP);
  for (const scale of SCALES) {
    const template = templateOf(scale);
    for (let y = STEP; y < bottom; y += STEP)
      for (let x = darkness.from + STEP; x < darkness.to - STEP; x += STEP)
        addCandidate(found, x, y, scoreAt(darkness, x, y, template));
  }
  return found.map((finder) => refine(darkness, finder, 1));
}

interface LowerFinder extends Finder {
  /** Distance from the upper finder. */
  distance: number;
}

function findLower(darkness: Darkness, upper: Point, down: Point, scale: number): LowerFinder[] {
  const found: Finder[] = [];
  const template = templateOf(scale);
  const longest = finderHeight(MAX_TILE_ROWS) * scale * (1 + MOST_STRETCH);
  const end = Math.min(longest, (darkness.height - STEP - 1 - upper.y) / down.y);
  for (let t = finderHeight(1) * scale * (1 - MOST_STRETCH); t < end; t += STEP) {
    const y = Math.round(upper.y + down.y * t);
    const middle = Math.round(upper.x + down.x * t);
    const last = Math.min(middle + STRIP_REACH, darkness.to - STEP - 1);
    for (let x = Math.max(middle - STRIP_REACH, darkness.from + STEP); x <= last; x += STEP)
      addCandidate(found, x, y, scoreAt(darkness, x, y, template));
  }
  return found.map((finder) => {
    const refined = refine(darkness, finder, scale);
    return { ...refined, distance: Math.hypot(refined.x - upper.x, refined.y - upper.y) };
  });
}

/** Keeps the best places, one for each finder. */
function addCandidate(found: Finder[], x: number, y: number, score: number): void {
  if (score < LEAST_SCORE) return;
  const reach = FINDER_MODULE * 3;
  const same = found.findIndex((other) => Math.abs(other.x - x) < reach && Math.abs(other.y - y) < reach);
  if (same >= 0) {
    if (found[same]!.score >= score) return;
    found.splice(same, 1);
  }
  found.push({ x, y, score });
  found.sort((a, b) => b.score - a.score);
  if (found.length > CANDIDATES) found.pop();
}

/** Moves a finder to the best pixel near it. */
function refine(darkness: Darkness, { x, y }: Finder, nearScale: number): Finder {
  let best: Finder = { x, y, score: -1 };
  for (const scale of [nearScale - 0.06, nearScale - 0.03, nearScale, nearScale + 0.03]) {
    const template = templateOf(scale);
    for (let dy = -STEP; dy <= STEP; dy++)
      for (let dx = -STEP; dx <= STEP; dx++) {
        const score = scoreAt(darkness, x + dx, y + dy, template);
        if (score > best.score) best = { x: x + dx, y: y + dy, score };
      }
  }
  return best;
}

/** Boxes of a finder: the black core, the white ring, the black ring and the white border outside. */
interface FinderTemplate {
  core: Box;
  inner: Box;
  outer: Box;
  border: Box;
}

function templateOf(scale: number): FinderTemplate {
  const box = (modules: number): Box => boxOf((modules / 2) * FINDER_MODULE * scale);
  return { core: box(3), inner: box(5), outer: box(7), border: box(9) };
}

/** Share of the core that must be black; most places fail here. */
const LEAST_CORE = 0.6;

/** Darkness of what is black in a finder around this pixel, less that of what is white; 0 where there is no core. */
function scoreAt(darkness: Darkness, x: number, y: number, template: FinderTemplate): number {
  const center = darkness.origin + y * darkness.stride + x;
  const core = darknessOf(darkness, center, template.core);
  const coreArea = areaOf(template.core);
  if (core < LEAST_CORE * coreArea) return 0;
  const inner = darknessOf(darkness, center, template.inner);
  const ring = (inner - core) / (areaOf(template.inner) - coreArea);
  const outer = darknessOf(darkness, center, template.outer);
  const blackArea = coreArea + areaOf(template.outer) - areaOf(template.inner);
  const border = darknessOf(darkness, center, template.border);
  const around = (border - outer) / (areaOf(template.border) - areaOf(template.outer));
  return (core + outer - inner) / blackArea - (ring + around) / 2;
}

/** Numbers of rows of tiles that fit the distances of the lower finders, the likeliest first. */
function rowsBetween(left: number, right: number, scale: number): number[] {
  if (Math.abs(left - right) > 0.02 * Math.max(left, right) + 8) return [];
  const height = (left + right) / 2 / scale;
  const stretch = (tileRows: number): number => Math.abs(height / finderHeight(tileRows) - 1);
  return Array.from({ length: MAX_TILE_ROWS }, (_, i) => i + 1)
    .filter((tileRows) => stretch(tileRows) <= MOST_STRETCH)
    .sort((a, b) => stretch(a) - stretch(b));
}
