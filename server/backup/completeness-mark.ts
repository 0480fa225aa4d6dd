import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { DamagedBackupError } from './errors.ts';

/** Comment of the zip file: it ends with the SHA-256 of every byte before, so that any changed byte is detected. */
const PREFIX = 'faxdesk-backup sha256:';
const DIGITS = 64;

/** Comment with zeros where the digest will be written. */
export const UNMARKED = `${PREFIX}${'0'.repeat(DIGITS)}`;

/** Passes an archive through and computes its size and the digest of all but its last 64 bytes. */
export class MarkingStream extends Transform {
  readonly #hash = createHash('sha256');
  #tail = Buffer.alloc(0);
  size = 0;

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error: null, data: Buffer) => void,
  ): void {
    this.size += chunk.length;
    const all = Buffer.concat([this.#tail, chunk]);
    const hashable = Math.max(0, all.length - DIGITS);
    this.#hash.update(all.subarray(0, hashable));
    this.#tail = all.subarray(hashable);
    done(null, chunk);
  }

  /** Replaces the zeros by the digest. Called once, after the end; returns the digest of the whole file. */
  async mark(file: FileHandle): Promise<string> {
    const mark = this.#hash.copy().digest('hex');
    await file.write(mark, this.size - DIGITS, 'latin1');
    return this.#hash.update(mark, 'latin1').digest('hex');
  }
}

/** Verifies the whole file by its comment. Throws DamagedBackupError when it was changed or cut off. */
export async function checkMark(path: string, onBytes: (count: number) => void): Promise<void> {
  const { size, comment } = await readEnd(path);
  if (!comment.startsWith(PREFIX)) throw new DamagedBackupError('its end is missing');
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { end: size - DIGITS - 1 })) {
    hash.update(chunk as Buffer);
    onBytes((chunk as Buffer).length);
  }
  if (hash.digest('hex') !== comment.slice(PREFIX.length))
    throw new DamagedBackupError('its content was changed');
}

async function readEnd(path: string): Promise<{ size: number; comment: string }> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const comment = Buffer.alloc(Math.min(size, UNMARKED.length));
    await file.read(comment, 0, comment.length, size - comment.length);
    return { size, comment: comment.toString('latin1') };
  } finally {
    await file.close();
  }
}
