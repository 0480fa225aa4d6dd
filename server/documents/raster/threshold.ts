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

/** Black below half of the scale. Works on eight pixels at a time; the machine must be little-endian. */
export function threshold(page: GreyPage): OneBitPage {
  const stride = page.width >> 3;
  const rows = new Uint8Array(stride * page.height);
  const words = wordsOf(page.pixels);
  for (let i = 0, word = 0; i < rows.length; i++, word += 2) {
    const left = words[word]!;
    const right = words[word + 1]!;
    if ((left & right) === allWhite) continue;
    const black = ((~left & whiteBits) >>> 3) | ((~right & whiteBits) >>> 7);
    rows[i] = Math.imul(black, gather) >>> 24;
  }
  return { width: page.width, height: page.height, stride, rows };
}

/** The same bytes as 32-bit words; copied only when they do not lie on a word boundary. */
export function wordsOf(pixels: Uint8Array): Int32Array {
  const aligned = (pixels.byteOffset & 3) === 0 ? pixels : pixels.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, pixels.length >> 2);
}
