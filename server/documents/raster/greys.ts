import type { OneBitPage } from '../t4/one-bit-page.ts';
import { type GreyPage, threshold, wordsOf } from './threshold.ts';

/** At or below it a pixel is black, at or above `whiteLevel` white; the tones between are stretched. */
const blackLevel = 64;
const whiteLevel = 200;
/** Pixels of an 8 x 8 block that must be mid-tones: the soft edges of letters stay below. */
const midPixelsOfBlock = 52;
/** Blocks that make a page one with photographs: about 12 x 12 mm. */
const midBlocksOfPage = 160;

/** The stretched levels in sixteenths, as errors are, with a half to round. */
const stretched = Int16Array.from({ length: 256 }, (_, level) => {
  const tone = Math.min(Math.max(level - blackLevel, 0), whiteLevel - blackLevel);
  return Math.round((tone * 255) / (whiteLevel - blackLevel)) * 16 + 8;
});

/** Half of the scale in sixteenths. */
const half = 2048;

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
 * Floyd-Steinberg error diffusion of the stretched levels. White rows below a photograph are passed over as soon as one
 * leaves the errors as they were: small ones stay for ever, and blacken nothing.
 */
export function dither(page: GreyPage): OneBitPage {
  const { width, height, pixels } = page;
  const stride = width >> 3;
  const rows = new Uint8Array(stride * height);
  const errors = new Int16Array(width + 2);
  const before = new Int16Array(width + 2);
  const words = wordsOf(pixels);
  let isSteady = true;
  for (let y = 0; y < height; y++) {
    const start = y * width;
    const isWhite = isAllWhite(words, start >> 2, (start + width) >> 2);
    if (isWhite && isSteady) continue;
    if (isWhite) before.set(errors);
    ditherRow(pixels.subarray(start, start + width), errors, rows.subarray(y * stride, (y + 1) * stride));
    isSteady = isWhite && before.every((error, i) => error === errors[i]);
  }
  return { width, height, stride, rows };
}

function isAllWhite(words: Int32Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (words[i] !== -1) return false;
  return true;
}

/**
 * Writes the bits of a row into `out`. `errors[x + 1]` holds what pixel x gets from the row above, in sixteenths; it is read
 * once and then overwritten with what goes down.
 */
function ditherRow(pixels: Uint8Array, errors: Int16Array, out: Uint8Array): void {
  let carried = 0;
  let downLeft = 0;
  let down = 0;
  for (let byte = 0, x = 0; byte < out.length; byte++) {
    let bits = 0;
    for (const end = x + 8; x < end; x++) {
      const wanted = stretched[pixels[x]!]! + carried + errors[x + 1]!;
      // All bits where the pixel becomes black. A branch here would be guessed wrong for every third pixel.
      const black = (wanted - half) >> 31;
      const rest = (wanted >> 4) - (255 & ~black);
      bits = (bits << 1) | (black & 1);
      errors[x] = downLeft + rest * 3;
      downLeft = down + rest * 5;
      down = rest;
      carried = rest * 7;
    }
    out[byte] = bits;
  }
  errors[pixels.length] = downLeft;
}
