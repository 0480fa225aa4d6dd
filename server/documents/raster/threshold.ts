import type { OneBitPage } from '../t4/one-bit-page.ts';

/** Grey pixels, 0 = black, one byte each, rows without gaps; the width is a multiple of 8. */
export interface GreyPage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

const fourWhite = 0xffffffff;
/** Moves the lowest bits of four bytes into the highest four bits, first byte highest. */
const gather = 0x80402010;

/** Black below half of the scale. Works on eight pixels at a time; the machine must be little-endian. */
export function threshold(page: GreyPage): OneBitPage {
  const stride = page.width >> 3;
  const rows = new Uint8Array(stride * page.height);
  const words = wordsOf(page.pixels);
  for (let i = 0, word = 0; i < rows.length; i++, word += 2) {
    const left = words[word]!;
    const right = words[word + 1]!;
    if ((left & right) >>> 0 === fourWhite) continue;
    const high = Math.imul((~left & 0x80808080) >>> 7, gather) >>> 28;
    const low = Math.imul((~right & 0x80808080) >>> 7, gather) >>> 28;
    rows[i] = (high << 4) | low;
  }
  return { width: page.width, height: page.height, stride, rows };
}

/** The same bytes as 32-bit words; copied only when they do not lie on a word boundary. */
export function wordsOf(pixels: Uint8Array): Uint32Array {
  const aligned = (pixels.byteOffset & 3) === 0 ? pixels : pixels.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, pixels.length >> 2);
}
