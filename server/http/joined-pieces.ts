/** Smaller pieces are joined up to this size. */
const MIN_BYTES = 4096;

/**
 * Joins small pieces of a body. A caller may send it in pieces of one byte, and a parser that keeps each of them takes some
 * hundred times the bytes that are counted.
 */
export function createJoinedPieces(): JoinedPieces {
  return new JoinedPieces();
}

class JoinedPieces {
  #block: Buffer | null = null;
  #size = 0;

  /** Returns the next block to read; null while it is too small. */
  add(piece: Buffer): Buffer | null {
    if (this.#size === 0 && piece.length >= MIN_BYTES) return piece;
    if (this.#size + piece.length >= MIN_BYTES) {
      const joined = Buffer.concat([this.flush(), piece]);
      this.#size = 0;
      return joined;
    }
    this.#block ??= Buffer.allocUnsafeSlow(MIN_BYTES);
    this.#size += piece.copy(this.#block, this.#size);
    return null;
  }

  /** Returns the bytes that are left when the body has ended. */
  flush(): Buffer {
    return this.#block === null ? Buffer.alloc(0) : this.#block.subarray(0, this.#size);
  }
}
