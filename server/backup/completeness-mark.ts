import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { BackupFile } from './backup-file.ts';
import { DamagedBackupError } from './errors.ts';

/** Comment of the zip file: it ends with the SHA-256 of every byte before, so that any changed byte is detected. */
const PREFIX = 'faxdesk-backup sha256:';
const DIGITS = 64;

/** Comment with zeros where the digest will be written. */
export const UNMARKED = `${PREFIX}${'0'.repeat(DIGITS)}`;

/** Passes an archive through and replaces the zeros at its end by the digest of everything before them. */
export class MarkingStream extends Transform {
  readonly #hash = createHash('sha256');
  #tail = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const all = Buffer.concat([this.#tail, chunk]);
    const whole = all.subarray(0, Math.max(0, all.length - DIGITS));
    this.#hash.update(whole);
    this.#tail = all.subarray(whole.length);
    done(null, whole);
  }

  override _flush(done: TransformCallback): void {
    done(null, Buffer.from(this.#hash.digest('hex')));
  }
}

/** Verifies the whole file by its comment. Throws DamagedBackupError when it was changed or cut off. */
export async function checkMark(file: BackupFile, onBytes: (count: number) => void): Promise<void> {
  const comment = await readEnd(file);
  if (!comment.startsWith(PREFIX)) throw new DamagedBackupError('its end is missing');
  const hash = createHash('sha256');
  for await (const chunk of file.bytes(0, file.size - DIGITS)) {
    hash.update(chunk);
    onBytes(chunk.length);
  }
  if (hash.digest('hex') !== comment.slice(PREFIX.length))
    throw new DamagedBackupError('its content was changed');
}

async function readEnd(file: BackupFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.bytes(Math.max(0, file.size - UNMARKED.length), file.size))
    chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}
