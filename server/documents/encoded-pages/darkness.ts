import type { GreyPage } from '../raster/threshold.ts';

const WHITE = 255;
/** White pixels around the strip, so that boxes at its edge need no check. */
const MARGIN = 36;

/** Darkness of a strip of a page: sums of all pixels above and to the left, from which the sum of any box follows. */
export interface Darkness {
  sums: Uint32Array;
  /** Columns of the page from which and up to which it goes, and lines. */
  from: number;
  to: number;
  height: number;
  /** Sums of a row. */
  stride: number;
  /** Place in `sums` of the upper left corner of the page's pixel 0, 0. */
  origin: number;
}

/** Sums the strip of a page from one column up to another; outside it is white. */
export function createDarkness({ width, height, pixels }: GreyPage, from: number, to: number): Darkness {
  const stride = to - from + 2 * MARGIN + 1;
  const sums = new Uint32Array(stride * (height + 2 * MARGIN + 1));
  const first = (MARGIN + 1) * stride + MARGIN + 1;
  for (let y = 0; y < height; y++) {
    const source = y * width;
    let at = first + y * stride;
    let row = 0;
    for (let x = from; x < to; x++, at++) {
      row += WHITE - pixels[source + x]!;
      sums[at] = sums[at - stride]! + row;
    }
    for (let x = 0; x < MARGIN; x++, at++) sums[at] = sums[at - stride]! + row;
  }
  const end = (MARGIN + height) * stride;
  for (let at = end + stride; at < sums.length; at += stride) sums.copyWithin(at, end, end + stride);
  return { sums, from, to, height, stride, origin: MARGIN * stride + MARGIN - from };
}

/** A square around the middle of a pixel. */
export interface Box {
  low: number;
  high: number;
}

/** A square of about `2 * reach` pixels. */
export function boxOf(reach: number): Box {
  return { low: Math.round(0.5 - reach), high: Math.round(0.5 + reach) };
}

export function areaOf({ low, high }: Box): number {
  return (high - low) ** 2;
}

/** Darkness of a box around `center`, a place in the sums: 1 for each black pixel. */
export function darknessOf({ sums, stride }: Darkness, center: number, { low, high }: Box): number {
  const upper = center + low * stride;
  const lower = center + high * stride;
  return (sums[lower + high]! - sums[lower + low]! - sums[upper + high]! + sums[upper + low]!) / WHITE;
}
