import type { OneBitPage } from './one-bit-page.ts';

/** Entry of a row's first changing element. Those before it are -1, left of every column, so that an encoder may look back. */
export const FIRST_CHANGE = 2;

/**
 * Finds the changing elements of a page's rows: the columns where the colour differs from the pixel before, white
 * being assumed before the first. Even entries turn black, odd entries turn white.
 */
export function createChangeFinder(page: OneBitPage): ChangeFinder {
  return new ChangeFinder(page);
}

class ChangeFinder {
  readonly #page: OneBitPage;
  readonly #view: DataView;
  readonly #wholeWords: number;

  constructor(page: OneBitPage) {
    this.#page = page;
    this.#view = new DataView(page.rows.buffer, page.rows.byteOffset, page.rows.byteLength);
    this.#wholeWords = page.stride >> 2;
  }

  /** Writes the columns of row `y` into `out`, from entry `FIRST_CHANGE` on, then the width four times as a fence. */
  find(y: number, out: Int32Array): void {
    const { width, stride } = this.#page;
    const start = y * stride;
    let count = FIRST_CHANGE;
    let last = 0;
    for (let word = 0; word < this.#wholeWords; word++) {
      const bits = this.#view.getInt32(start + word * 4);
      if (bits === -last) continue;
      let edges = bits ^ ((bits >>> 1) | (last << 31));
      while (edges !== 0) {
        const lead = Math.clz32(edges);
        out[count++] = word * 32 + lead;
        edges &= ~(0x80000000 >>> lead);
      }
      last = bits & 1;
    }
    for (let byte = this.#wholeWords * 4; byte < stride; byte++) {
      const bits = this.#page.rows[start + byte]!;
      let edges = bits ^ ((bits >>> 1) | (last << 7));
      while (edges !== 0) {
        const lead = Math.clz32(edges) - 24;
        out[count++] = byte * 8 + lead;
        edges &= ~(0x80 >>> lead);
      }
      last = bits & 1;
    }
    while (count > FIRST_CHANGE && out[count - 1]! >= width) count--;
    out[count] = out[count + 1] = out[count + 2] = out[count + 3] = width;
  }
}

/** Room for the changing elements of one row with the fence, padding bits included. */
export function changeBuffer(width: number): Int32Array {
  return new Int32Array(width + 18).fill(width).fill(-1, 0, FIRST_CHANGE);
}
