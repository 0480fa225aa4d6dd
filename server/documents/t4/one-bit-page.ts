/** A black and white picture: 1 bit a pixel, 1 = black, first pixel in the highest bit, `stride` bytes a row. */
export interface OneBitPage {
  width: number;
  height: number;
  stride: number;
  rows: Uint8Array;
}

/** A white page of `width` by `height` pixels. */
export function blankPage(width: number, height: number): OneBitPage {
  const stride = (width + 7) >> 3;
  return { width, height, stride, rows: new Uint8Array(stride * height) };
}
