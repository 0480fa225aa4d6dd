import { closeSync, fstatSync, linkSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { replaceSync, writeDurably } from '../platform/durable-file.ts';
import {
  type FileToRead,
  type NewFileKey,
  openPieces,
  openStart,
  plainSizeOf,
  START_BYTES,
  sealedParts,
} from '../platform/file-cipher.ts';
import type { DocumentContent } from './jobs.ts';

// Every document is read and written here: what is stored, what was uploaded, and what is made of them.

const OWNER_FILE = 0o600;

/** The whole content of an upload. */
export function contentOf(content: DocumentContent): Buffer {
  if ('path' in content) return readDocument(fileOf(content));
  const { buffer, byteOffset, byteLength } = content.bytes;
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The first `length` bytes of an upload, at most a piece of a sealed file, or all of a shorter one. */
export function startOf(content: DocumentContent, length: number): Buffer {
  if ('bytes' in content) return contentOf(content).subarray(0, length);
  if (content.key === undefined) return firstBytes(content.path, length);
  const start = firstBytes(content.path, START_BYTES);
  return openStart(content.key, start, statSync(content.path).size).subarray(0, length);
}

function firstBytes(path: string, length: number): Buffer {
  const head = Buffer.allocUnsafe(length);
  const file = openSync(path, 'r');
  try {
    return head.subarray(0, readSync(file, head, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

export function sizeOf(content: DocumentContent): number {
  if (!('path' in content)) return content.bytes.length;
  const { size } = statSync(content.path);
  return content.key === undefined ? size : plainSizeOf(size);
}

/** The whole of a stored document. */
export function readDocument(file: FileToRead): Buffer {
  if (typeof file === 'string') return readFileSync(file);
  const handle = openSync(file.path, 'r');
  try {
    const read = (into: Uint8Array, from: number) => readSync(handle, into, 0, into.length, from);
    return openPieces(file.key, fstatSync(handle).size, read);
  } finally {
    closeSync(handle);
  }
}

/** Writes the result, whole but not flushed, and sealed where a key came with the job. */
export function writeDocument(path: string, bytes: Uint8Array, seal: NewFileKey | null): void {
  replaceSync(path, OWNER_FILE, seal === null ? [bytes] : sealedParts(seal, bytes));
}

/** Writes the result, flushed. */
export async function writeFlushedDocument(path: string, bytes: Uint8Array): Promise<void> {
  await writeDurably(path, bytes, OWNER_FILE);
}

/**
 * Gives an upload a second name instead of a copy; false where that cannot be done, others may read it, or it is not sealed
 * as what is made of it shall be.
 */
export function linkDocument(content: DocumentContent, path: string, isSealed: boolean): boolean {
  if (!('path' in content) || (content.key !== undefined) !== isSealed) return false;
  if ((statSync(content.path).mode & 0o077) !== 0) return false;
  try {
    linkSync(content.path, path);
    return true;
  } catch {
    return false;
  }
}

/** An upload as a file that is read. */
function fileOf({ path, key }: Extract<DocumentContent, { path: string }>): FileToRead {
  return key === undefined ? path : { path, key };
}
