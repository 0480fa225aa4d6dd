import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { SealError } from './errors.ts';

/**
 * A sealed file, version 1. All numbers are big-endian.
 *
 *     8  the letters FAXSEAL and the version, 1
 *    60  the file's own key, sealed with a key made of the data key: nonce (12), key (32), tag (16)
 *    16  salt: the pieces are sealed with HMAC-SHA256 (file key, salt), so that one key may serve several files
 *     …  pieces of 64 KiB, the last one shorter or empty, each AES-256-GCM with its tag (16) after it
 *
 * The nonce of a piece is 1 byte that is 1 for the last piece and else 0, 3 bytes of 0, and its number in 8 bytes. A piece that
 * was altered, left out, moved, or taken from another file does not open, and neither does the last one that is not the end.
 */
export const MAGIC = Buffer.from('FAXSEAL\x01', 'latin1');
export const NONCE_BYTES = 12;
export const KEY_BYTES = 32;
export const TAG_BYTES = 16;
const SALT_BYTES = 16;
export const WRAPPED_BYTES = MAGIC.length + NONCE_BYTES + KEY_BYTES + TAG_BYTES;
export const HEADER_BYTES = WRAPPED_BYTES + SALT_BYTES;
const PIECE_BYTES = 64 * 1024;
const SEALED_PIECE_BYTES = PIECE_BYTES + TAG_BYTES;
/** Pieces that are read at a time. */
const READ_TOGETHER = 16;

/** The key of one file, with what stands of it in the file. */
export interface NewFileKey {
  /** 32 bytes: opens and seals that file alone. */
  readonly key: Uint8Array;
  readonly wrapped: Uint8Array;
}

/** A file by its path, with its key where it is sealed. */
export type FileToRead = string | { readonly path: string; readonly key: Uint8Array };

/** Whether a file that begins so is sealed; shorter ones are not. */
export function isSealed(start: Uint8Array): boolean {
  return start.length >= HEADER_BYTES && MAGIC.equals(start.subarray(0, MAGIC.length));
}

/** The length of what a sealed file of so many bytes holds. Throws SealError for a length that no sealed file has. */
export function plainSizeOf(fileBytes: number): number {
  const body = fileBytes - HEADER_BYTES;
  const pieces = Math.ceil(body / SEALED_PIECE_BYTES);
  const plain = body - pieces * TAG_BYTES;
  if (body < TAG_BYTES || plain < 0) throw new SealError('the sealed file is not whole');
  return plain;
}

/** The whole of a sealed file. */
export function sealBytes({ key, wrapped }: NewFileKey, plain: Uint8Array): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const pieceKey = pieceKeyOf(key, salt);
  const pieces: Uint8Array[] = [wrapped, salt];
  let number = 0;
  for (let at = 0; at < plain.length || number === 0; at += PIECE_BYTES) {
    const isLast = at + PIECE_BYTES >= plain.length;
    pieces.push(...sealPiece(pieceKey, plain.subarray(at, at + PIECE_BYTES), { number, isLast }));
    number += 1;
  }
  return Buffer.concat(pieces);
}

/** What a sealed file holds. Throws SealError when anything of it was altered. */
export function openBytes(key: Uint8Array, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
  const size = plainSizeOf(bytes.length);
  const pieceKey = pieceKeyOf(key, bytes.subarray(WRAPPED_BYTES, HEADER_BYTES));
  const plain = Buffer.allocUnsafe(size);
  let at = 0;
  let number = 0;
  for (let from = HEADER_BYTES; from < bytes.length; from += SEALED_PIECE_BYTES) {
    const isLast = from + SEALED_PIECE_BYTES >= bytes.length;
    at += openPiece(pieceKey, bytes.subarray(from, from + SEALED_PIECE_BYTES), { number, isLast }).copy(
      plain,
      at,
    );
    number += 1;
  }
  return plain;
}

/** Seals what comes, piece by piece. */
export async function* sealStream(
  { key, wrapped }: NewFileKey,
  plain: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const pieceKey = pieceKeyOf(key, salt);
  yield Buffer.concat([wrapped, salt]);
  let held = Buffer.alloc(0);
  let number = 0;
  for await (const chunk of plain) {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
    // The last piece is known only when nothing follows.
    while (held.length > PIECE_BYTES) {
      yield Buffer.concat(sealPiece(pieceKey, held.subarray(0, PIECE_BYTES), { number, isLast: false }));
      number += 1;
      held = held.subarray(PIECE_BYTES);
    }
  }
  yield Buffer.concat(sealPiece(pieceKey, held, { number, isLast: true }));
}

/** What an open sealed file holds, piece by piece; nothing of a piece is given out before it was checked. */
export async function* openStream(key: Uint8Array, file: FileHandle): AsyncGenerator<Buffer> {
  const { size } = await file.stat();
  plainSizeOf(size);
  const { buffer: salt } = await file.read(Buffer.alloc(SALT_BYTES), 0, SALT_BYTES, WRAPPED_BYTES);
  const pieceKey = pieceKeyOf(key, salt);
  let number = 0;
  for (let from = HEADER_BYTES; from < size; ) {
    const wanted = Math.min(READ_TOGETHER * SEALED_PIECE_BYTES, size - from);
    const bytes = await readWhole(file, wanted, from);
    const pieces: Buffer[] = [];
    for (let at = 0; at < wanted; at += SEALED_PIECE_BYTES) {
      const isLast = from + at + SEALED_PIECE_BYTES >= size;
      pieces.push(openPiece(pieceKey, bytes.subarray(at, at + SEALED_PIECE_BYTES), { number, isLast }));
      number += 1;
    }
    // Together, since each piece on its own costs its reader a turn.
    yield Buffer.concat(pieces);
    from += wanted;
  }
}

async function readWhole(file: FileHandle, length: number, position: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(bytes, at, length - at, position + at);
    if (bytesRead === 0) throw new SealError('the sealed file became shorter while it was read');
    at += bytesRead;
  }
  return bytes;
}

interface Place {
  readonly number: number;
  readonly isLast: boolean;
}

function sealPiece(key: Buffer, plain: Uint8Array, place: Place): Buffer[] {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(place));
  return [cipher.update(plain), cipher.final(), cipher.getAuthTag()];
}

function openPiece(key: Buffer, sealed: Buffer, place: Place): Buffer {
  return opened(key, nonceOf(place), sealed, null);
}

function nonceOf({ number, isLast }: Place): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce[0] = isLast ? 1 : 0;
  nonce.writeBigUInt64BE(BigInt(number), NONCE_BYTES - 8);
  return nonce;
}

function pieceKeyOf(key: Uint8Array, salt: Uint8Array): Buffer {
  return createHmac('sha256', key).update(salt).digest();
}

/** What was sealed with a key; `sealed` ends with its tag. Throws SealError when anything was altered. */
export function opened(key: Uint8Array, nonce: Uint8Array, sealed: Buffer, about: Buffer | null): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  if (about !== null) decipher.setAAD(about);
  try {
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const plain = decipher.update(sealed.subarray(0, -TAG_BYTES));
    decipher.final();
    return plain;
  } catch (error) {
    throw new SealError('the sealed file was altered or does not open with this key', { cause: error });
  }
}
