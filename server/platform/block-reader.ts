import type { ReadableFile } from './readable-file.ts';

/** Bytes that are read together. */
const BLOCK_BYTES = 256 * 1024;
/** The directory of a zip, the list of its files and their contents are read beside each other, each in its order. */
const KEPT_BLOCKS = 8;

/** Reads parts of a file by blocks, so that millions of small parts do not cost a call of the system each. */
export function createBlockReader(file: Pick<ReadableFile, 'size' | 'bytes'>): BlockReader {
  return new BlockReader(file);
}

export type { BlockReader };

class BlockReader {
  readonly #file: Pick<ReadableFile, 'size' | 'bytes'>;
  /** By their number, the one that was used last at the end. */
  readonly #blocks = new Map<number, Buffer>();

  constructor(file: Pick<ReadableFile, 'size' | 'bytes'>) {
    this.#file = file;
  }

  /** Yields the bytes from `start` to `end`, without the latter; less where the file ends. */
  async *bytes(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; ) {
      const number = Math.floor(at / BLOCK_BYTES);
      const inBlock = at - number * BLOCK_BYTES;
      const piece = (await this.#block(number)).subarray(inBlock, inBlock + end - at);
      if (piece.length === 0) return;
      yield piece;
      at += piece.length;
    }
  }

  async #block(number: number): Promise<Buffer> {
    const block = this.#blocks.get(number) ?? (await this.#read(number));
    this.#blocks.delete(number);
    this.#blocks.set(number, block);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > KEPT_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
    return block;
  }

  async #read(number: number): Promise<Buffer> {
    const start = number * BLOCK_BYTES;
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#file.bytes(start, Math.min(start + BLOCK_BYTES, this.#file.size)))
      pieces.push(piece);
    const [piece] = pieces;
    return pieces.length === 1 && Buffer.isBuffer(piece) ? piece : Buffer.concat(pieces);
  }
}
