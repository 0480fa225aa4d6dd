import type { GreyPage } from '../raster/threshold.ts';

const WHITE = 255;

/** Sums of a strip of a page, for boxes of any size. */
export function createDarkness(page: GreyPage, from: number, to: number): Darkness {
  return new Darkness(page, from, to);
}

export type { Darkness };

class Darkness {
  readonly #from: number;
  readonly #width: number;
  readonly #height: number;
  /** Sums of all pixels above and to the left, with a row and a column of zeros before them. */
  readonly #sums: Uint32Array;

  constructor(page: GreyPage, from: number, to: number) {
    this.#from = from;
    this.#width = to - from;
    this.#height = page.height;
    const stride = this.#width + 1;
    this.#sums = new Uint32Array(stride * (page.height + 1));
    for (let y = 0; y < page.height; y++) {
      const source = y * page.width + from;
      const target = (y + 1) * stride + 1;
      let row = 0;
      for (let x = 0; x < this.#width; x++) {
        row += WHITE - page.pixels[source + x]!;
        this.#sums[target + x] = this.#sums[target + x - stride]! + row;
      }
    }
  }

  /** Darkness of a square of `2 * reach` pixels around the middle of a pixel: 1 for each black pixel. Outside the strip is white. */
  around(x: number, y: number, reach: number): { sum: number; area: number } {
    const left = Math.round(x - this.#from + 0.5 - reach);
    const right = Math.round(x - this.#from + 0.5 + reach);
    const top = Math.round(y + 0.5 - reach);
    const bottom = Math.round(y + 0.5 + reach);
    const area = (right - left) * (bottom - top);
    const inLeft = Math.min(Math.max(left, 0), this.#width);
    const inRight = Math.min(Math.max(right, 0), this.#width);
    const upper = Math.min(Math.max(top, 0), this.#height) * (this.#width + 1);
    const lower = Math.min(Math.max(bottom, 0), this.#height) * (this.#width + 1);
    const sums = this.#sums;
    const sum =
      sums[lower + inRight]! - sums[lower + inLeft]! - sums[upper + inRight]! + sums[upper + inLeft]!;
    return { sum: sum / WHITE, area };
  }
}
