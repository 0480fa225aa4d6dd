import { closeSync, open, write } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';

/** Where an uploaded file is: on disk, or in memory when it is small. */
export type UploadContent = { readonly path: string } | { readonly bytes: Uint8Array };

/** What the files of one form may keep in memory; beyond it they go to disk. */
export interface MemoryBudget {
  bytes: number;
}

/** A letter fits; making, reading and removing a file for it would take longer than all else that is done to it. */
export const MEMORY_BYTES = 256 * 1024;
/** What holding one chunk takes beside its bytes: a sender of single bytes must not fill the memory. */
const CHUNK_BYTES = 512;

const openNew = promisify(open);
const writeSome = promisify(write);

/**
 * One file on its way in: kept in memory as long as the budget lasts, then on disk in `directory`; where that is null it is
 * then not kept.
 */
export function createUploadFile(directory: string | null, budget: MemoryBudget): UploadFile {
  return new UploadFile(directory, budget);
}

export type { UploadFile };

class UploadFile {
  readonly #directory: string | null;
  readonly #budget: MemoryBudget;
  readonly #chunks: Buffer[] = [];
  #path: string | null = null;
  #file: number | null = null;
  #isKept = true;

  constructor(directory: string | null, budget: MemoryBudget) {
    this.#directory = directory;
    this.#budget = budget;
  }

  /** Resolves when the next chunk may come. Errors of the file system keep their code (`ENOSPC`). */
  async add(chunk: Buffer): Promise<void> {
    if (!this.#isKept) return;
    if (this.#file === null) {
      this.#chunks.push(chunk);
      this.#budget.bytes -= chunk.length + CHUNK_BYTES;
      if (this.#budget.bytes >= 0) return;
      await this.#moveToDisk(this.#directory);
    } else await writeWhole(this.#file, chunk);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** False when it was larger than the memory, with no place on the disk: then its content is empty. */
  get isKept(): boolean {
    return this.#isKept;
  }

  get content(): UploadContent {
    return this.#path === null ? { bytes: joined(this.#chunks) } : { path: this.#path };
  }

  /** Removes what nobody moved away. */
  async discard(): Promise<void> {
    if (this.#path === null) return;
    // `rm` would ask first what the path is.
    await unlink(this.#path).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error;
    });
  }

  async #moveToDisk(directory: string | null): Promise<void> {
    if (directory === null) {
      this.#isKept = false;
      this.#chunks.length = 0;
      return;
    }
    this.#path = join(directory, newId());
    // A new name waits for the file system's log while others flush; a pipeline of streams would cost four times as much.
    this.#file = await openNew(this.#path, 'wx', 0o600);
    for (const chunk of this.#chunks.splice(0)) await writeWhole(this.#file, chunk);
  }
}

/** In memory of their own: the whole of it is copied when they go to a worker thread. */
function joined(chunks: readonly Buffer[]): Uint8Array {
  const whole = Buffer.allocUnsafeSlow(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(whole, at);
  return whole;
}

/** The system may take a part of the bytes at a time. */
async function writeWhole(file: number, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await writeSome(file, bytes, written)).bytesWritten;
  }
}
