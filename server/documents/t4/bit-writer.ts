/** Collects codes, highest bit first. Call `reserve` before a group of codes; `put` and `putAll` do not check. */
export function createBitWriter(expectedBytes: number): BitWriter {
  return new BitWriter(expectedBytes);
}

/** Bits of a packed code that are its length. */
const lengthBits = 5;
const lengthMask = (1 << lengthBits) - 1;

/** Packs a code of at most 16 bits with its length, for `putAll`. */
export const packCode = (code: number, length: number): number => (code << lengthBits) | length;

class BitWriter {
  #bytes: Uint8Array;
  #length = 0;
  /** The lowest `#pendingBits` bits, fewer than 8, follow the bytes; higher bits are those of earlier codes. */
  #pending = 0;
  #pendingBits = 0;

  constructor(expectedBytes: number) {
    this.#bytes = new Uint8Array(Math.max(expectedBytes, 1024));
  }

  /** Makes room for `bytes` more bytes. */
  reserve(bytes: number): void {
    // A code is written with the two bytes that it may end in.
    const needed = this.#length + bytes + 2;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(needed * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  /** Appends the low `length` bits of `code`, at most 16. */
  put(code: number, length: number): void {
    this.putAll(Int32Array.of(packCode(code, length)), 1);
  }

  /**
   * Appends the first `count` packed codes. Every code writes two bytes, whole or not, and the next one overwrites those that
   * are not: a branch would be guessed wrong at every other code.
   */
  putAll(codes: Int32Array, count: number): void {
    const bytes = this.#bytes;
    let at = this.#length;
    let pending = this.#pending;
    let bits = this.#pendingBits;
    for (let i = 0; i < count; i++) {
      const packed = codes[i]!;
      const length = packed & lengthMask;
      pending = (pending << length) | (packed >>> lengthBits);
      bits += length;
      bytes[at] = pending >>> (bits - 8);
      bytes[at + 1] = pending >>> (bits - 16);
      at += bits >> 3;
      bits &= 7;
    }
    this.#length = at;
    this.#pending = pending;
    this.#pendingBits = bits;
  }

  /** Fills the last byte with zeros and returns the bytes. */
  finish(): Uint8Array {
    this.reserve(0);
    this.put(0, -this.#pendingBits & 7);
    return this.#bytes.slice(0, this.#length);
  }
}
