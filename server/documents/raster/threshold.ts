import type { OneBitPage } from '../t4/one-bit-page.ts';

/** Grey pixels, 0 = black, one byte each, rows without gaps; the width is a multiple of 8. */
export interface GreyPage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** Eight white pixels, as two words with all bits. */
const allWhite = -1;
/** The highest bit of each of four bytes: set where the pixel is white. */
const whiteBits = 0x80808080;
/**
 * Moves bit 4 of four bytes into the highest four bits and bit 0 into the four below them, first byte highest. No two bits of
 * the product meet, so that nothing is carried.
 */
const gather = 0x08040201;

/**
 * Black below half of the scale. Works on 32 pixels at a time, without a branch among those that are not all white: it
 * would be guessed wrong at every letter. The machine must be little-endian.
 */
export function threshold(page: GreyPage): OneBitPage {
  const stride = page.width >> 3;
  const rows = new Uint8Array(stride * page.height);
  const words = wordsOf(page.pixels);
  const whole = new Int32Array(rows.buffer, 0, rows.length >> 2);
  let from = 0;
  for (let to = 0; to < whole.length; to++, from += 8) {
    const a = words[from]!;
    const b = words[from + 1]!;
    const c = words[from + 2]!;
    const d = words[from + 3]!;
    const e = words[from + 4]!;
    const f = words[from + 5]!;
    const g = words[from + 6]!;
    const h = words[from + 7]!;
    if ((a & b & c & d & e & f & g & h) === allWhite) continue;
    whole[to] = blackOf(a, b) | (blackOf(c, d) << 8) | (blackOf(e, f) << 16) | (blackOf(g, h) << 24);
  }
  for (let to = whole.length * 4; to < rows.length; to++, from += 2)
    rows[to] = blackOf(words[from]!, words[from + 1]!);
  return { width: page.width, height: page.height, stride, rows };
}

/** Returns the byte of eight pixels, the first one highest, with a bit for each black one. */
function blackOf(left: number, right: number): number {
  return Math.imul(((~left & whiteBits) >>> 3) | ((~right & whiteBits) >>> 7), gather) >>> 24;
}

/** The same bytes as 32-bit words; copied only when they do not lie on a word boundary. */
export function wordsOf(pixels: Uint8Array): Int32Array {
  const aligned = (pixels.byteOffset & 3) === 0 ? pixels : pixels.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, pixels.length >> 2);
}
