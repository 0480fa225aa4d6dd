import { closeSync, constants, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { errorCode, SealError } from './errors.ts';
import { HEADER_BYTES, isSealed, WRAPPED_BYTES } from './file-cipher.ts';
import type { FileSealer } from './sealed-file.ts';

/** Header of a sealed file with its key sealed anew. */
export interface NewHeader {
  /** Salt of the file, base64, which no other file has. */
  readonly salt: string;
  /** The first WRAPPED_BYTES of the file, base64. */
  readonly header: string;
}

/**
 * Returns the header with the key of the file sealed with the first data key. Null for a file that is gone, is not sealed, or
 * whose key the first data key opens already.
 */
export function newHeaderOf(path: string, sealer: FileSealer): NewHeader | 'unreadable' | null {
  const file = openIfThere(path, constants.O_RDONLY);
  if (file === null) return null;
  try {
    return newHeaderFor(readStart(file), sealer);
  } finally {
    closeSync(file);
  }
}

/** As `newHeaderOf`, for a file by its first HEADER_BYTES, fewer of a short one. */
export function newHeaderFor(start: Buffer, sealer: FileSealer): NewHeader | 'unreadable' | null {
  if (!isSealed(start)) return null;
  try {
    const renewed = sealer.renewed(start);
    return renewed && { salt: saltOf(start), header: Buffer.from(renewed).toString('base64') };
  } catch (error) {
    if (error instanceof SealError) return 'unreadable';
    throw error;
  }
}

/** Writes a header in place and flushes it. False when the file is gone, or another one by now. */
export function writeHeader(path: string, { salt, header }: NewHeader): boolean {
  const file = openIfThere(path, constants.O_RDWR);
  if (file === null) return false;
  try {
    if (saltOf(readStart(file)) !== salt) return false;
    writeSync(file, Buffer.from(header, 'base64'), 0, WRAPPED_BYTES, 0);
    fsyncSync(file);
    return true;
  } finally {
    closeSync(file);
  }
}

/** Links are never followed. */
function openIfThere(path: string, flags: number): number | null {
  try {
    // Windows has no such flag.
    return openSync(path, flags | ((constants as { O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0));
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

function readStart(file: number): Buffer {
  const start = Buffer.alloc(HEADER_BYTES);
  return start.subarray(0, readSync(file, start, 0, HEADER_BYTES, 0));
}

const saltOf = (start: Buffer): string => start.subarray(WRAPPED_BYTES, HEADER_BYTES).toString('base64');
