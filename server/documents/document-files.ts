import { closeSync, linkSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { replaceAtOnce, writeDurably } from '../platform/durable-file.ts';
import type { DocumentContent } from './jobs.ts';

// Every document is read and written here: what is stored, what was uploaded, and what is made of them.

const OWNER_FILE = 0o600;

/** The whole content of an upload. */
export function contentOf(content: DocumentContent): Buffer {
  if ('path' in content) return readDocument(content.path);
  const { buffer, byteOffset, byteLength } = content.bytes;
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The first `length` bytes of an upload, or all of a shorter one. */
export function startOf(content: DocumentContent, length: number): Buffer {
  if ('bytes' in content) return contentOf(content).subarray(0, length);
  const head = Buffer.alloc(length);
  const file = openSync(content.path, 'r');
  try {
    return head.subarray(0, readSync(file, head, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

export function sizeOf(content: DocumentContent): number {
  return 'path' in content ? statSync(content.path).size : content.bytes.length;
}

/** The whole of a stored document. */
export function readDocument(path: string): Buffer {
  return readFileSync(path);
}

/** Writes what was made, whole but not flushed. */
export function writeDocument(path: string, bytes: Uint8Array): void {
  replaceAtOnce(path, OWNER_FILE, bytes);
}

/** Writes what was made, flushed. */
export async function writeFlushedDocument(path: string, bytes: Uint8Array): Promise<void> {
  await writeDurably(path, bytes, OWNER_FILE);
}

/** Gives an upload a second name instead of a copy; false where that cannot be done, or others may read it. */
export function nameAgain(content: DocumentContent, path: string): boolean {
  if (!('path' in content) || (statSync(content.path).mode & 0o077) !== 0) return false;
  try {
    linkSync(content.path, path);
    return true;
  } catch {
    return false;
  }
}
