import { closeSync, open, writev } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { remainingParts } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';
import { createPieceSealer, type NewFileKey, type PieceSealer } from '../platform/file-cipher.ts';
import { newId } from '../platform/ids.ts';

/** Folder for uploads that are still on their way, and their limit. */
export interface UploadFolder {
  readonly directory: string;
  /** A form with files begins to arrive. */
  expectUpload(): void;
  /** A key for a file that is written there; null when it is to be written as it is. */
  newKey(): NewFileKey | null;
  /** The present upload limit in bytes. */
  maxBytes(): number;
}

/** Content of an uploaded file: on disk, with its key where it is sealed, or in memory when it is small. */
export type UploadContent =
  | { readonly path: string; readonly key?: Uint8Array }
  | { readonly bytes: Uint8Array };

/** Memory available for the files of one form; beyond it they go to disk. */
interface MemoryBudget {
  bytes: number;
}

/** A letter fits; making, reading and removing a file for it would take longer than all else that is done to it. */
export const MEMORY_BYTES = 256 * 1024;
/** Overhead of holding one chunk: a sender of single bytes must not fill the memory. */
const CHUNK_BYTES = 512;

const openNew = promisify(open);
const writeSome = promisify(writev);

/** Destination of larger files, and the key for sealing them. */
export type FilePlace = Pick<UploadFolder, 'directory' | 'newKey'>;

/**
 * One file on its way in: kept in memory as long as the budget lasts, then on disk in `place`; where that is null it is then
 * not kept.
 */
export function createUploadFile(place: FilePlace | null, budget: MemoryBudget): UploadFile {
  return new UploadFile(place, budget);
}

export type { UploadFile };

class UploadFile {
  readonly #place: FilePlace | null;
  readonly #budget: MemoryBudget;
  readonly #chunks: Buffer[] = [];
  #path: string | null = null;
  #file: number | null = null;
  #key: Uint8Array | null = null;
  #sealer: PieceSealer | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isKept = true;

  constructor(place: FilePlace | null, budget: MemoryBudget) {
    this.#place = place;
    this.#budget = budget;
  }

  /** Resolves when the next chunk may come. Errors of the file system keep their code (`ENOSPC`). */
  async add(chunk: Buffer): Promise<void> {
    if (!this.#isKept) return;
    if (this.#file === null) {
      this.#chunks.push(chunk);
      this.#budget.bytes -= chunk.length + CHUNK_BYTES;
      if (this.#budget.bytes >= 0) return;
      await this.#moveToDisk(this.#place);
    } else await this.#write([chunk]);
  }

  /** The last chunk has come. */
  async end(): Promise<void> {
    if (this.#sealer !== null) await this.#writeNext(this.#sealer.end());
    await this.#writing;
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** False when it was larger than the memory, with no place on the disk: then its content is empty. */
  get isKept(): boolean {
    return this.#isKept;
  }

  get content(): UploadContent {
    if (this.#path === null) return { bytes: joinChunks(this.#chunks) };
    return { path: this.#path, ...(this.#key && { key: this.#key }) };
  }

  /** Removes the file where nobody moved it away. */
  async discard(): Promise<void> {
    if (this.#path === null) return;
    // `rm` would ask first what the path is.
    await unlink(this.#path).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error;
    });
  }

  async #moveToDisk(place: FilePlace | null): Promise<void> {
    if (place === null) {
      this.#isKept = false;
      this.#chunks.length = 0;
      return;
    }
    const key = place.newKey();
    this.#key = key?.key ?? null;
    this.#sealer = key && createPieceSealer(key);
    this.#path = join(place.directory, newId());
    // A new name waits for the file system's log while others flush; a pipeline of streams would cost four times as much.
    this.#file = await openNew(this.#path, 'wx', 0o600);
    await this.#write(this.#chunks.splice(0));
  }

  async #write(chunks: readonly Buffer[]): Promise<void> {
    const sealer = this.#sealer;
    await this.#writeNext(sealer === null ? chunks : chunks.flatMap((chunk) => sealer.add(chunk)));
  }

  /** Begins when the write before has ended, and is not waited for: the next chunk is hashed and sealed meanwhile. */
  async #writeNext(parts: readonly Uint8Array[]): Promise<void> {
    if (parts.length === 0 || this.#file === null) return;
    await this.#writing;
    this.#writing = writeAll(this.#file, parts);
    // The error is thrown when the next chunk is added.
    this.#writing.catch(() => undefined);
  }
}

/** In memory of their own: the whole of it is copied when they go to a worker thread. */
function joinChunks(chunks: readonly Buffer[]): Uint8Array {
  const whole = Buffer.allocUnsafeSlow(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(whole, at);
  return whole;
}

/** The system may take a part of the bytes at a time. */
async function writeAll(file: number, parts: readonly Uint8Array[]): Promise<void> {
  for (let left = [...parts]; left.length > 0; )
    left = remainingParts(left, (await writeSome(file, left)).bytesWritten);
}
