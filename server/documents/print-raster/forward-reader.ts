/** Reads what comes in pieces from its start to its end. In memory is one piece, and as much as is looked at together. */
export function createForwardReader(pieces: Iterable<Uint8Array>): ForwardReader {
  return new ForwardReader(pieces);
}

export type { ForwardReader };

class ForwardReader {
  readonly #pieces: Iterator<Uint8Array>;
  #memory = Buffer.alloc(0);
  #from = 0;
  #to = 0;

  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** Returns the next bytes, at least `length` unless the end comes before. They are valid until the next call. */
  peek(length: number): Buffer {
    while (this.#to - this.#from < length) {
      const { done, value } = this.#pieces.next();
      if (done) break;
      this.#append(value);
    }
    return this.#memory.subarray(this.#from, this.#to);
  }

  /** Goes on after `length` of the bytes that were looked at. */
  skip(length: number): void {
    this.#from += length;
  }

  get isAtEnd(): boolean {
    return this.peek(1).length === 0;
  }

  /** Ends the reading, wherever it is. */
  close(): void {
    this.#pieces.return?.();
  }

  #append(piece: Uint8Array): void {
    const rest = this.#memory.subarray(this.#from, this.#to);
    const length = rest.length + piece.length;
    // The rest of one piece is shorter or longer than that of the next.
    if (this.#memory.length < length) this.#memory = Buffer.allocUnsafe(2 * length);
    this.#memory.set(rest);
    this.#memory.set(piece, rest.length);
    this.#from = 0;
    this.#to = length;
  }
}
