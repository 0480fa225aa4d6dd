import { closeSync, fstatSync, linkSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { replaceFile, replaceSync, writeAllSync, writeDurably } from '../platform/durable-file.ts';
import {
  createPieceSealer,
  type FileToRead,
  type NewFileKey,
  openEachPiece,
  openPieces,
  openStart,
  plainSizeOf,
  START_BYTES,
  sealedParts,
} from '../platform/file-cipher.ts';
import type { DocumentContent } from './jobs.ts';

// Every document is read and written here: what is stored, what was uploaded, and what is made of them.

const OWNER_FILE = 0o600;
/** Bytes of a file that is not sealed that are read at once. */
const PIECE_BYTES = 256 * 1024;

/** The whole content of an upload. */
export function contentOf(content: DocumentContent): Buffer {
  if ('path' in content) return readDocument(fileOf(content));
  const { buffer, byteOffset, byteLength } = content.bytes;
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Yields the content of an upload in pieces of some 256 KiB. Each is valid until the next one. */
export function* piecesOf(content: DocumentContent): Generator<Uint8Array> {
  if ('bytes' in content) {
    yield content.bytes;
    return;
  }
  const file = openSync(content.path, 'r');
  try {
    const read = (into: Uint8Array, from: number) => readSync(file, into, 0, into.length, from);
    yield* content.key === undefined
      ? plainPieces(read)
      : openEachPiece(content.key, fstatSync(file).size, read);
  } finally {
    closeSync(file);
  }
}

function* plainPieces(read: (into: Uint8Array, from: number) => number): Generator<Uint8Array> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let at = 0;
  for (let got = read(piece, at); got > 0; got = read(piece, at)) {
    at += got;
    yield piece.subarray(0, got);
  }
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

/** The same of a result that `fill` writes part by part, none of which may be changed afterwards. */
export async function writeDocumentParts(
  path: string,
  seal: NewFileKey | null,
  fill: (write: (part: Uint8Array) => void) => Promise<void>,
): Promise<void> {
  await replaceFile(path, OWNER_FILE, async (file) => {
    const sealer = seal && createPieceSealer(seal);
    await fill((part) => writeAllSync(file.fd, sealer === null ? [part] : sealer.add(part)));
    if (sealer !== null) writeAllSync(file.fd, sealer.end());
  });
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
