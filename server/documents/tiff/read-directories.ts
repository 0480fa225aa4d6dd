import { DocumentError } from '../document-error.ts';
import { maxPages, tooManyPages } from '../limits.ts';

const bytesOfType: Record<number, number> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  13: 4,
};
/** Values of all tags of a file together: 1,000 pages of strips of one row stay below. */
const maxValues = 5_000_000;

/** The tags of one picture in a TIFF file, as numbers; fractions are divided. */
export class TiffDirectory {
  /** Position in the file's chain of directories, from 0. */
  readonly index: number;
  readonly #tags: Map<number, number[]>;

  constructor(index: number, tags: Map<number, number[]>) {
    this.index = index;
    this.#tags = tags;
  }

  /** All values of a tag; none when it is missing. */
  values(tag: number): number[] {
    return this.#tags.get(tag) ?? [];
  }

  /** The first value of a tag, or the default of the TIFF 6.0 specification given by the caller. */
  value(tag: number, missing: number): number {
    return this.#tags.get(tag)?.[0] ?? missing;
  }

  has(tag: number): boolean {
    return this.#tags.has(tag);
  }
}

export function damagedTiff(cause?: unknown): DocumentError {
  return new DocumentError('invalid', 'The TIFF is damaged or incomplete.', { cause });
}

/**
 * Reads the chain of directories of a TIFF file. Own reader because libraries give one density for both directions
 * and refuse files without BitsPerSample. Throws when the chain is empty, damaged, loops or has too many pages.
 */
export function readDirectories(file: Buffer): TiffDirectory[] {
  try {
    return new Reader(file).chain();
  } catch (error) {
    if (error instanceof RangeError) throw damagedTiff(error);
    throw error;
  }
}

class Reader {
  readonly #file: Buffer;
  readonly #little: boolean;
  #values = 0;

  constructor(file: Buffer) {
    this.#file = file;
    this.#little = file.toString('latin1', 0, 2) === 'II';
  }

  chain(): TiffDirectory[] {
    const directories: TiffDirectory[] = [];
    const seen = new Set<number>();
    for (let offset = this.#u32(4); offset !== 0; ) {
      if (seen.has(offset)) throw damagedTiff();
      seen.add(offset);
      if (directories.length >= maxPages) throw new DocumentError('too_large', tooManyPages());
      const count = this.#u16(offset);
      if (count === 0) throw damagedTiff();
      directories.push(new TiffDirectory(directories.length, this.#tags(offset + 2, count)));
      offset = this.#u32(offset + 2 + count * 12);
    }
    if (directories.length === 0) throw damagedTiff();
    return directories;
  }

  #tags(start: number, count: number): Map<number, number[]> {
    const tags = new Map<number, number[]>();
    for (let i = 0; i < count; i++) {
      const at = start + i * 12;
      const tag = this.#u16(at);
      const type = this.#u16(at + 2);
      const length = this.#u32(at + 4);
      const size = bytesOfType[type];
      if (size === undefined || tag < 254 || tag > 347) continue;
      this.#values += length;
      if (this.#values > maxValues) throw damagedTiff();
      const from = size * length <= 4 ? at + 8 : this.#u32(at + 8);
      tags.set(
        tag,
        Array.from({ length }, (_, k) => this.#number(type, from + k * size)),
      );
    }
    return tags;
  }

  #number(type: number, at: number): number {
    switch (type) {
      case 3:
      case 8:
        return this.#u16(at);
      case 4:
      case 9:
      case 13:
        return this.#u32(at);
      case 5:
      case 10:
        return this.#u32(at) / this.#u32(at + 4);
      default:
        return this.#file.readUInt8(at);
    }
  }

  #u16(at: number): number {
    return this.#little ? this.#file.readUInt16LE(at) : this.#file.readUInt16BE(at);
  }

  #u32(at: number): number {
    return this.#little ? this.#file.readUInt32LE(at) : this.#file.readUInt32BE(at);
  }
}
