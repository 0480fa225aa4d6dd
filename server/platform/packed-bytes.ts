import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Bytes that are compressed together: a millisecond of work. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Returns an empty list of bytes in memory, compressed, which are read again in their order. A list of a million similar records takes a
 * third of its length so, and none of the heap.
 */
export function createPackedBytes(): PackedBytes {
  return new PackedBytes();
}

class PackedBytes {
  readonly #blocks: Buffer[] = [];
  #open = Buffer.alloc(BLOCK_BYTES);
  #used = 0;
  /** Bytes that were added. */
  sizeBytes = 0;

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(bytes.length - at, BLOCK_BYTES - this.#used);
      this.#open.set(bytes.subarray(at, at + count), this.#used);
      this.#used += count;
      at += count;
      if (this.#used === BLOCK_BYTES) this.#close();
    }
    this.sizeBytes += bytes.length;
  }

  /** Yields everything that was added, in pieces. Nothing may be added meanwhile. */
  *read(): Generator<Buffer> {
    for (const block of this.#blocks) yield inflateRawSync(block, { maxOutputLength: BLOCK_BYTES });
    if (this.#used > 0) yield Buffer.from(this.#open.subarray(0, this.#used));
  }

  #close(): void {
    const packed = deflateRawSync(this.#open, { level: 1 });
    // A copy of its own: a part of a larger buffer would keep all of that in memory.
    const block = Buffer.allocUnsafeSlow(packed.length);
    packed.copy(block);
    this.#blocks.push(block);
    this.#used = 0;
  }
}

/** Returns an empty list of texts in memory, kept like packed bytes. */
export function createPackedTexts(): PackedTexts {
  return new PackedTexts();
}

export type { PackedTexts };

/** No name of a file and no JSON has a NUL, which ends a text. */
class PackedTexts {
  readonly #bytes = new PackedBytes();
  /** Number of texts. */
  count = 0;

  /** Adds a text without a NUL. */
  add(text: string): void {
    this.#bytes.add(Buffer.from(`${text}\0`));
    this.count += 1;
  }

  /** Yields the texts in their order. Nothing may be added meanwhile. */
  *read(): Generator<string> {
    let rest: Buffer = Buffer.alloc(0);
    for (const piece of this.#bytes.read()) {
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      const end = bytes.lastIndexOf(0) + 1;
      if (end > 0) yield* bytes.toString('utf8', 0, end - 1).split('\0');
      rest = bytes.subarray(end);
    }
  }
}
