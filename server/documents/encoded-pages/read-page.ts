import type { GreyPage } from '../raster/threshold.ts';
import { findFrames } from './find-frames.ts';
import { findMarks } from './find-marks.ts';
import { fromDrawnBytes } from './page-bits.ts';
import { type MessagePage, readMessagePage } from './page-header.ts';
import { codewordsOf } from './page-layout.ts';
import { readCells } from './read-cells.ts';

/** A page that was read, and the largest number of bytes that were repaired in one of its codewords. */
export interface ReadPage extends MessagePage {
  worstRepair: number;
}

/** Frames that are tried: a page can be made of finders. */
const MAX_FRAMES = 16;
/** Share of the marks that must be seen before the cells are read; less than half of them are left after the worst damage that can be repaired. */
const LEAST_MARKS = 0.4;

/** Reads an encoded page; null for any other. */
export function readEncodedPage(page: GreyPage): ReadPage | null {
  let frames = 0;
  for (const frame of findFrames(page)) {
    if (++frames > MAX_FRAMES) return null;
    const lattice = findMarks(page, frame);
    if (lattice.share < LEAST_MARKS) continue;
    const read = readCells(page, lattice, frame.tileRows);
    const repaired = fromDrawnBytes(read, codewordsOf(frame.tileRows));
    const found = repaired && readMessagePage(repaired.data);
    if (found) return { ...found, worstRepair: repaired.worstRepair };
  }
  return null;
}
