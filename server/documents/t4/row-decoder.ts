import { blackLookup, horizontalMode, modeLookup, passMode, whiteLookup } from './code-lookup.ts';

/** Reads coded rows bit by bit into lists of changing elements. Data must be padded by four bytes. */
export function createRowDecoder(padded: Uint8Array, width: number): RowDecoder {
  return new RowDecoder(padded, width);
}

export type { RowDecoder };

class RowDecoder {
  /** Position in bits. */
  position = 0;
  readonly #data: Uint8Array;
  readonly #width: number;
  readonly #end: number;

  constructor(padded: Uint8Array, width: number) {
    this.#data = padded;
    this.#width = width;
    this.#end = (padded.length - 4) * 8;
  }

  get atEnd(): boolean {
    return this.position >= this.#end;
  }

  /** The next `count` bits, at most 16, without moving on. */
  peek(count: number): number {
    const byte = this.position >>> 3;
    const word = (this.#data[byte]! << 16) | (this.#data[byte + 1]! << 8) | this.#data[byte + 2]!;
    return (word >>> (24 - count - (this.position & 7))) & ((1 << count) - 1);
  }

  /** Moves past an end-of-line code with its fill and returns true, or stays and returns false. */
  skipEndOfLine(): boolean {
    const start = this.position;
    while (this.position < this.#end && this.peek(1) === 0) this.position += 1;
    if (this.position - start >= 11 && this.position < this.#end) {
      this.position += 1;
      return true;
    }
    this.position = start;
    return false;
  }

  /** Moves to the start of the next end-of-line code, for rows with transmission errors. */
  findEndOfLine(): boolean {
    for (; this.position + 12 <= this.#end; this.position++) {
      if (this.peek(11) === 0) return true;
    }
    this.position = this.#end;
    return false;
  }

  /** One row of runs. Returns the number of changing elements in `out`, or -1 for an impossible code. */
  oneDimensional(out: Int32Array): number {
    let count = 0;
    let column = 0;
    for (let black = 0; column < this.#width; black ^= 1) {
      const run = this.#run(black);
      if (run < 0 || column + run > this.#width) return -1;
      column += run;
      count = push(out, count, column);
    }
    return this.#fence(out, count);
  }

  /** One row coded against `reference`, as {@link oneDimensional}. */
  twoDimensional(reference: Int32Array, out: Int32Array): number {
    const width = this.#width;
    let count = 0;
    let a0 = -1;
    let black = 0;
    let above = 0;
    while (a0 < width) {
      above = (above & ~1) | black;
      while (above > 1 && reference[above - 2]! > a0) above -= 2;
      while (reference[above]! <= a0 && reference[above]! < width) above += 2;
      const b1 = reference[above]!;
      const found = modeLookup[this.peek(7)]!;
      if (found === 0 || this.atEnd) return -1;
      this.position += found & 15;
      const mode = found >> 4;
      if (mode === passMode) {
        a0 = b1 < width ? reference[above + 1]! : width;
      } else if (mode === horizontalMode) {
        const first = this.#run(black);
        const second = this.#run(black ^ 1);
        const a1 = Math.max(a0, 0) + first;
        if (first < 0 || second < 0 || a1 + second > width) return -1;
        count = push(out, push(out, count, a1), a1 + second);
        a0 = a1 + second;
      } else {
        const a1 = b1 + mode - 3;
        if (a1 < Math.max(a0, 0) || a1 > width) return -1;
        count = push(out, count, a1);
        a0 = a1;
        black ^= 1;
      }
    }
    return this.#fence(out, count);
  }

  /** The length of the next run, or -1. */
  #run(black: number): number {
    const lookup = black ? blackLookup : whiteLookup;
    let run = 0;
    for (;;) {
      const found = lookup[this.peek(13)]!;
      if (found === 0 || this.position >= this.#end || run > this.#width) return -1;
      this.position += found & 15;
      run += found >> 4;
      if (found >> 4 < 64) return run;
    }
  }

  #fence(out: Int32Array, count: number): number {
    let length = count;
    while (length > 0 && out[length - 1]! >= this.#width) length--;
    out[length] = out[length + 1] = out[length + 2] = out[length + 3] = this.#width;
    return length;
  }
}

/** Appends a change; a run of no pixels between two changes joins its neighbours instead. */
function push(out: Int32Array, count: number, column: number): number {
  if (count > 0 && out[count - 1] === column) return count - 1;
  out[count] = column;
  return count + 1;
}
