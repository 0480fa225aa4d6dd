import { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import type { BlockReader } from './block-reader.ts';
import { CutOffError, type ReadableFile } from './readable-file.ts';

/**
 * Opens the zip for reading its entries, in their order and once; the file stays open. Throws the errors of the library. The entries of several
 * readings may be read by the same blocks.
 */
export function openZip(file: Pick<ReadableFile, 'size'>, blocks: BlockReader): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true };
  return yauzl.fromRandomAccessReaderPromise(new FileReader(blocks), file.size, options);
}

/** Returns the content of an entry. A stored one comes without a stream, which would take longer than a small document does. */
export async function readEntry(
  zip: ZipFile,
  entry: Entry,
  blocks: BlockReader,
): Promise<AsyncIterable<Uint8Array>> {
  if (entry.compressionMethod !== 0 || entry.isEncrypted()) return zip.openReadStreamPromise(entry);
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  return blocks.bytes(fileDataStart, fileDataStart + entry.compressedSize);
}

class FileReader extends yauzl.RandomAccessReader {
  readonly #blocks: BlockReader;
  /** Made once: to make it takes longer than to read an entry. */
  readonly #copyWithCallback = callbackify(this.#copy.bind(this));

  constructor(blocks: BlockReader) {
    super();
    this.#blocks = blocks;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#blocks.bytes(start, end), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.#copyWithCallback(buffer, offset, { from: position, to: position + length }, done);
  }

  async #copy(buffer: Buffer, offset: number, { from, to }: { from: number; to: number }): Promise<void> {
    let at = offset;
    for await (const piece of this.#blocks.bytes(from, to)) {
      buffer.set(piece, at);
      at += piece.length;
    }
    if (at - offset < to - from) throw new CutOffError('The zip ends before its size.');
  }
}
