import type { OneBitPage } from './one-bit-page.ts';

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

  /** Writes the columns of row `y` into `out`, then the width four times as a fence; returns how many there are. */
  find(y: number, out: Int32Array): number {
    const { width, stride } = this.#page;
    const start = y * stride;
    let count = 0;
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
    while (count > 0 && out[count - 1]! >= width) count--;
    out[count] = out[count + 1] = out[count + 2] = out[count + 3] = width;
    return count;
  }
}

/** Room for the changing elements of one row with the fence, padding bits included. */
export function changeBuffer(width: number): Int32Array {
  return new Int32Array(width + 16).fill(width);
}
