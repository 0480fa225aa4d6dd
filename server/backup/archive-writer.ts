import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { encryptAge } from '../platform/age/encrypt.ts';
import { MarkingStream, UNMARKED } from './completeness-mark.ts';
import { MANIFEST_NAME, type Manifest, type ManifestEntry } from './manifest.ts';

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

interface ArchiveOptions {
  /** Stands in the archive as the time of every entry. */
  readonly madeAt: Date;
  /** Public keys for which it is encrypted before anything reaches the file; empty for a plain one. */
  readonly recipients: readonly Uint8Array[];
}

/** Writes a backup as a zip: entries one after the other, then the manifest, then the mark over the whole. */
export function createArchiveWriter(file: FileHandle, options: ArchiveOptions): ArchiveWriter {
  return new ArchiveWriter(file, options);
}

export type { ArchiveWriter };

class ArchiveWriter {
  readonly entries: ManifestEntry[] = [];
  readonly #zip = new yazl.ZipFile();
  /** Bytes that reached the file. */
  sizeBytes = 0;
  readonly #hash = createHash('sha256');
  readonly #madeAt: Date;
  readonly #written: Promise<void>;

  constructor(file: FileHandle, { madeAt, recipients }: ArchiveOptions) {
    this.#madeAt = madeAt;
    const output = this.#zip.outputStream as Readable;
    this.#zip.on('error', (error: Error) => output.destroy(error));
    const seal = (zip: AsyncIterable<Uint8Array>) =>
      recipients.length === 0 ? zip : encryptAge(zip, recipients);
    this.#written = pipeline(output, new MarkingStream(), (zip) =>
      file.writeFile(this.#hashed(seal(zip as AsyncIterable<Uint8Array>))),
    );
    // A failure reaches the code that awaits this; until then it must not end the process.
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
    const stream = Readable.from(counted(), { objectMode: false });
    const read = new Promise<void>((resolve, reject) => {
      stream.on('end', resolve).on('error', reject);
    });
    this.#zip.addReadStreamLazy(name, { ...this.#attributes(), ...options }, (ready) => ready(null, stream));
    await Promise.race([read, this.#failure()]);
    this.entries.push({ name, size, sha256: hash.digest('hex') });
  }

  /** Answers the SHA-256 of the file when every byte was given to it; flushing it is left to its owner. */
  async finish(manifest: Manifest): Promise<string> {
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    this.#zip.addBuffer(text, MANIFEST_NAME, { ...this.#attributes(), compress: true });
    this.#zip.end({ comment: UNMARKED, forceZip64Format: false });
    await this.#written;
    return this.#hash.digest('hex');
  }

  /** Stops writing; the archive is of no use then. */
  abandon(): void {
    (this.#zip.outputStream as Readable).destroy();
  }

  async *#hashed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#hash.update(chunk);
      this.sizeBytes += chunk.length;
      yield chunk;
    }
  }

  #attributes() {
    return { mtime: this.#madeAt, mode: 0o100600 };
  }

  async #failure(): Promise<never> {
    await this.#written;
    throw new Error('the archive ended before its content');
  }
}
