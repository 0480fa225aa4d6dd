import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { createPackedBytes } from './packed-bytes.ts';
import { dataDescriptor, directoryEnd, directoryEntry, localHeader, type ZipStyle } from './zip-records.ts';

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const STORED = 0;
const DEFLATED = 8;
/** Names in UTF-8; CRC-32 and lengths follow the content. */
const FLAGS = 0x0808;
/** Unix, 6.3. */
const MADE_BY = 0x033f;
const VERSION_NEEDED = 20;
const OWNER_FILE = 0o100600;

interface ZipWriterOptions {
  /** Takes the next bytes of the archive; awaited before further ones are made. */
  readonly write: (bytes: Uint8Array) => Promise<void> | void;
  /** Time of each file in the archive. */
  readonly madeAt: Date;
}

/**
 * Writes a zip of owner-only files whose lengths come to be known while they are read. The time grows with the number of files and bytes, and
 * of a file some 30 bytes stay in memory. Every file may be of any length, and there may be any number: Zip64 is written where it has to be.
 */
export function createZipWriter(options: ZipWriterOptions): ZipWriter {
  return new ZipWriter(options);
}

export type { ZipWriter };

class ZipWriter {
  readonly #take: ZipWriterOptions['write'];
  readonly #style: ZipStyle;
  readonly #directory = createPackedBytes();
  #count = 0;
  #at = 0;

  constructor({ write, madeAt }: ZipWriterOptions) {
    this.#take = write;
    this.#style = styleOf(madeAt);
  }

  /** Adds a file. Resolves when its whole content was written; throws the errors of the content and of `write`. */
  async add(name: string, content: Bytes, { compress }: { readonly compress: boolean }): Promise<void> {
    const at = this.#at;
    const file = { name: Buffer.from(name), method: compress ? DEFLATED : STORED };
    await this.#write(localHeader({ ...file, crc32: 0, packedBytes: 0, sizeBytes: 0 }, this.#style));
    const from = this.#at;
    let sum = 0;
    let sizeBytes = 0;
    const counted = async function* () {
      for await (const piece of content) {
        sum = crc32(piece, sum);
        sizeBytes += piece.length;
        yield piece;
      }
    };
    const writeAll = async (pieces: AsyncIterable<Uint8Array>) => {
      for await (const piece of pieces) await this.#write(piece);
    };
    if (compress) await pipeline(counted, createDeflateRaw(), writeAll);
    else await writeAll(counted());
    const record = { ...file, crc32: sum, packedBytes: this.#at - from, sizeBytes };
    await this.#write(dataDescriptor(record));
    this.#directory.add(directoryEntry(record, at, this.#style));
    this.#count += 1;
  }

  /** Writes the directory and the comment of the archive, in ASCII. */
  async finish(comment: string): Promise<void> {
    const at = this.#at;
    for (const piece of this.#directory.read()) await this.#write(piece);
    const { sizeBytes } = this.#directory;
    await this.#write(directoryEnd({ count: this.#count, sizeBytes, at }, this.#style, comment));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#at += bytes.length;
    await this.#take(bytes);
  }
}

const FIRST_YEAR = 1980;
const LAST_SECOND = 0x7fffffff;

/** The time is local, as DOS has it, and in the extra field of Info-ZIP in seconds of UTC. */
function styleOf(madeAt: Date): ZipStyle {
  const extra = Buffer.alloc(9);
  extra.write('UT', 'latin1');
  extra.writeUInt16LE(5, 2);
  // Readers expect the flags of the header, which names the time of access as well.
  extra.writeUInt8(3, 4);
  extra.writeInt32LE(Math.min(Math.max(Math.floor(madeAt.getTime() / 1000), 0), LAST_SECOND), 5);
  const year = Math.max(madeAt.getFullYear() - FIRST_YEAR, 0);
  return {
    madeBy: MADE_BY,
    versionNeeded: VERSION_NEEDED,
    flags: FLAGS,
    time: (madeAt.getHours() << 11) | (madeAt.getMinutes() << 5) | (madeAt.getSeconds() >> 1),
    date: (Math.min(year, 127) << 9) | ((madeAt.getMonth() + 1) << 5) | madeAt.getDate(),
    attributes: OWNER_FILE * 0x10000,
    extra,
  };
}
