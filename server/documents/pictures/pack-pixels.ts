import { blankPage, type OneBitPage } from '../t4/one-bit-page.ts';

/** Packs raw pixels, dark below half of the scale of the first channel, into one bit each. */
export function packPixels(
  data: Uint8Array,
  size: { width: number; height: number; channels: number },
): OneBitPage {
  const page = blankPage(size.width, size.height);
  for (let y = 0, i = 0; y < size.height; y++) {
    const row = y * page.stride;
    for (let x = 0; x < size.width; x++, i += size.channels) {
      if (data[i]! < 128) page.rows[row + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  }
  return page;
}
