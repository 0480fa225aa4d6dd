import { blackCodes, type RunCodes, whiteCodes } from './code-tables.ts';

/** Collects codes, highest bit first. Call `reserve` before a group of `put`s; `put` itself does not check. */
export function createBitWriter(expectedBytes: number): BitWriter {
  return new BitWriter(expectedBytes);
}

export type { BitWriter };

class BitWriter {
  #bytes: Uint8Array;
  #length = 0;
  /** The lowest `#pendingBits` bits, fewer than 16, follow the bytes; higher bits are those of earlier codes. */
  #pending = 0;
  #pendingBits = 0;

  constructor(expectedBytes: number) {
    this.#bytes = new Uint8Array(Math.max(expectedBytes, 1024));
  }

  /** Makes room for `bytes` more bytes. */
  reserve(bytes: number): void {
    // Bits that wait take two bytes at most.
    const needed = this.#length + bytes + 2;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(needed * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  /** Appends the low `length` bits of `code`, at most 16. */
  put(code: number, length: number): void {
    this.#pending = (this.#pending << length) | code;
    this.#pendingBits += length;
    if (this.#pendingBits < 16) return;
    this.#pendingBits -= 16;
    const whole = this.#pending >>> this.#pendingBits;
    this.#bytes[this.#length] = whole >>> 8;
    this.#bytes[this.#length + 1] = whole;
    this.#length += 2;
  }

  /** Appends `count` ones. */
  putOnes(count: number): void {
    let rest = count;
    for (; rest > 16; rest -= 16) this.put(0xffff, 16);
    this.put((1 << rest) - 1, rest);
  }

  /** Appends a run of `pixels` of one color: make-up codes, then one terminating code. */
  putRun(black: number, pixels: number): void {
    const codes: RunCodes = black ? blackCodes : whiteCodes;
    let rest = pixels;
    for (; rest >= 2560; rest -= 2560) this.put(codes.bits[103]!, codes.lengths[103]!);
    if (rest >= 64) {
      const entry = 63 + (rest >> 6);
      this.put(codes.bits[entry]!, codes.lengths[entry]!);
      rest &= 63;
    }
    this.put(codes.bits[rest]!, codes.lengths[rest]!);
  }

  /** Fills the last byte with zeros and returns the bytes. */
  finish(): Uint8Array {
    this.reserve(0);
    this.put(0, -this.#pendingBits & 7);
    if (this.#pendingBits === 8) this.#bytes[this.#length++] = this.#pending;
    return this.#bytes.slice(0, this.#length);
  }
}
