import type { OneBitPage } from '../t4/one-bit-page.ts';
import { type GreyPage, threshold, wordsOf } from './threshold.ts';

/** At or below it a pixel is black, at or above `whiteLevel` white; the tones between are stretched. */
const blackLevel = 64;
const whiteLevel = 200;
/** Pixels of an 8 x 8 block that must be mid-tones: the soft edges of letters stay below. */
const midPixelsOfBlock = 52;
/** Blocks that make a page one with photographs: about 12 x 12 mm. */
const midBlocksOfPage = 160;

const stretched = Uint8Array.from({ length: 256 }, (_, level) =>
  Math.round(
    (Math.min(Math.max(level - blackLevel, 0), whiteLevel - blackLevel) * 255) / (whiteLevel - blackLevel),
  ),
);

const isMidTone = Uint8Array.from({ length: 256 }, (_, level) =>
  level > blackLevel && level < whiteLevel ? 1 : 0,
);

export interface ToneResult {
  page: OneBitPage;
  /** Share of the page, 0…1, that was dithered. */
  greyShare: number;
  /** With `compareGreys`, of a page with much grey: the page as the other choice of `cleanGreys` makes it. */
  otherwise: OneBitPage | null;
}

export interface ToneOptions {
  cleanGreys: boolean;
  compareGreys?: boolean;
}

/** A page of which more is dithered takes several times as long. */
export const muchGrey = 0.1;

/** Turns greys to black and white: dithered where the page has mid-tones and `cleanGreys` is off. */
export function toOneBit(page: GreyPage, { cleanGreys, compareGreys = false }: ToneOptions): ToneResult {
  const blocks = countMidBlocks(page);
  const share = blocks < midBlocksOfPage ? 0 : (blocks * 64) / (page.width * page.height);
  const compares = compareGreys && share >= muchGrey;
  if (cleanGreys || share === 0)
    return { page: threshold(page), greyShare: 0, otherwise: compares ? dither(page) : null };
  return { page: dither(page), greyShare: share, otherwise: compares ? threshold(page) : null };
}

/** The number of 8 x 8 blocks that are neither black, white nor an edge. */
export function countMidBlocks(page: GreyPage): number {
  const { width, height, pixels } = page;
  let blocks = 0;
  for (let y = 0; y + 8 <= height; y += 8) {
    for (let x = 0; x + 8 <= width; x += 8) {
      const first = y * width + x;
      const probe = pixels[first + 3 * width + 3]!;
      if (probe <= blackLevel || probe >= whiteLevel) {
        const second = pixels[first + 5 * width + 5]!;
        if (second <= blackLevel || second >= whiteLevel) continue;
      }
      if (midPixels(pixels, first, width) >= midPixelsOfBlock) blocks++;
    }
  }
  return blocks;
}

/** Counts the mid-tones of a block; stops with fewer where too few would be left. */
function midPixels(pixels: Uint8Array, first: number, width: number): number {
  let count = 0;
  for (let row = 0; row < 8; row++) {
    const start = first + row * width;
    for (let i = start; i < start + 8; i++) {
      if (isMidTone[pixels[i]!] === 1) count++;
    }
    if (count + (7 - row) * 8 < midPixelsOfBlock) break;
  }
  return count;
}

/**
 * Floyd-Steinberg error diffusion of the stretched levels. `errors[x + 1]` holds what pixel x gets from the row above, in
 * sixteenths; it is read once and then overwritten with what goes down. White without errors is passed over.
 */
export function dither(page: GreyPage): OneBitPage {
  const { width, height, pixels } = page;
  const stride = width >> 3;
  const rows = new Uint8Array(stride * height);
  const errors = new Int16Array(width + 2);
  const words = wordsOf(pixels);
  let errorsAbove = false;
  for (let y = 0, out = 0, i = 0; y < height; y++) {
    let carried = 0;
    let downLeft = 0;
    let down = 0;
    let errorsHere = 0;
    for (let x = 0; x < width; out++) {
      const settled = !errorsAbove && (carried | downLeft | down) === 0;
      if (settled && (words[i >> 2]! & words[(i >> 2) + 1]!) === -1) {
        x += 8;
        i += 8;
        continue;
      }
      let bits = 0;
      for (const end = x + 8; x < end; x++, i++) {
        const wanted = stretched[pixels[i]!]! + ((carried + errors[x + 1]! + 8) >> 4);
        // All bits where the pixel becomes black. A branch here would be guessed wrong for every third pixel.
        const black = (wanted - 128) >> 31;
        const rest = wanted - (255 & ~black);
        bits = (bits << 1) | (black & 1);
        errors[x] = downLeft + rest * 3;
        downLeft = down + rest * 5;
        down = rest;
        carried = rest * 7;
        errorsHere |= rest;
      }
      rows[out] = bits;
    }
    errors[width] = downLeft;
    errorsAbove = errorsHere !== 0;
  }
  return { width, height, stride, rows };
}
