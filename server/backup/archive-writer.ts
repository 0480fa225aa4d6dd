import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { encryptAge } from '../platform/age/encrypt.ts';
import { createPackedTexts } from '../platform/packed-bytes.ts';
import { createZipWriter, type ZipWriter } from '../platform/zip-writer.ts';
import { MarkingStream, UNMARKED } from './completeness-mark.ts';
import { MANIFEST_NAME, type Manifest, type ManifestEntry, manifestText } from './manifest.ts';

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

interface ArchiveOptions {
  /** Stands in the archive as the time of every entry. */
  readonly madeAt: Date;
  /** Public keys for which it is encrypted before anything reaches the file; empty for a plain one. */
  readonly recipients: readonly Uint8Array[];
}

/** Bytes that go to the file together: headers and small documents one by one would cost a call of the system each. */
const PIECE_BYTES = 256 * 1024;

/** Writes a backup as a zip: entries one after the other, then the manifest, then the mark over the whole. */
export function createArchiveWriter(file: FileHandle, options: ArchiveOptions): ArchiveWriter {
  return new ArchiveWriter(file, options);
}

export type { ArchiveWriter };

class ArchiveWriter {
  /** Lines of the manifest, one for each entry. */
  readonly #entries = createPackedTexts();
  readonly #zip: ZipWriter;
  readonly #output = new PassThrough({ highWaterMark: PIECE_BYTES });
  /** Bytes that reached the file. */
  sizeBytes = 0;
  readonly #hash = createHash('sha256');
  readonly #written: Promise<void>;
  #pieces: Uint8Array[] = [];
  #pieceBytes = 0;

  constructor(file: FileHandle, { madeAt, recipients }: ArchiveOptions) {
    this.#zip = createZipWriter({ madeAt, write: (bytes) => this.#write(bytes) });
    const seal = (zip: AsyncIterable<Uint8Array>) =>
      recipients.length === 0 ? zip : encryptAge(zip, recipients);
    this.#written = pipeline(this.#output, new MarkingStream(), (zip) =>
      file.writeFile(this.#hashed(seal(zip as AsyncIterable<Uint8Array>))),
    );
    // A failure reaches the code that writes next; until then it must not end the process.
    this.#written.catch(() => undefined);
  }

  /** Resolves when the whole content was read. Fails when the archive cannot be written. */
  async add(name: string, content: Bytes, options: { compress: boolean }): Promise<void> {
    const hash = createHash('sha256');
    let size = 0;
    const counted = async function* () {
      for await (const chunk of content) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    };
    await this.#zip.add(name, counted(), options);
    this.#entries.add(JSON.stringify({ name, size, sha256: hash.digest('hex') } satisfies ManifestEntry));
  }

  /** Yields what was added, in its order. */
  *entries(): Generator<ManifestEntry> {
    for (const line of this.#entries.read()) yield JSON.parse(line) as ManifestEntry;
  }

  /** Answers the SHA-256 of the file when every byte was given to it; flushing it is left to its owner. */
  async finish(manifest: Manifest): Promise<string> {
    await this.#zip.add(MANIFEST_NAME, manifestText(manifest, this.#entries.read()), { compress: true });
    await this.#zip.finish(UNMARKED);
    await this.#pass();
    this.#output.end();
    await this.#written;
    return this.#hash.digest('hex');
  }

  /** Stops writing; the archive is of no use then. Resolves when nothing is written to the file any more. */
  async abandon(): Promise<void> {
    this.#output.destroy();
    await this.#written.catch(() => undefined);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#pieces.push(bytes);
    this.#pieceBytes += bytes.length;
    if (this.#pieceBytes >= PIECE_BYTES) await this.#pass();
  }

  /** Passes on what was collected, and waits until there is room for more. */
  async #pass(): Promise<void> {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#pieceBytes = 0;
    if (!this.#output.destroyed && this.#output.write(bytes)) return;
    if (!this.#output.destroyed)
      await new Promise<void>((resolve) => {
        const settle = () => {
          this.#output.off('drain', settle).off('close', settle);
          resolve();
        };
        this.#output.on('drain', settle).on('close', settle);
      });
    if (!this.#output.destroyed) return;
    await this.#written;
    throw new Error('the archive ended before its content');
  }

  async *#hashed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#hash.update(chunk);
      this.sizeBytes += chunk.length;
      yield chunk;
    }
  }
}
