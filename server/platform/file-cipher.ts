import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { AlteredFileError, SealError } from './errors.ts';

/**
 * A sealed file, version 1. All numbers are big-endian.
 *
 *     8  the letters FAXSEAL and the version, 1
 *    60  the file's own key, sealed with a key made of the data key: nonce (12), key (32), tag (16)
 *    16  salt: the pieces are sealed with HMAC-SHA256 (file key, salt), so that one key may serve several files
 *     …  pieces of 256 KiB, the last one shorter or empty, each AES-256-GCM with its tag (16) after it
 *
 * The nonce of a piece is 1 byte that is 1 for the last piece and else 0, 3 bytes of 0, and its number in 8 bytes. A piece that
 * was altered, left out, moved, or taken from another file does not open, and neither does the last one that is not the end.
 */
export const MAGIC = Buffer.from('FAXSEAL\x01', 'latin1');
export const NONCE_BYTES = 12;
export const KEY_BYTES = 32;
const TAG_BYTES = 16;
const SALT_BYTES = 16;
export const WRAPPED_BYTES = MAGIC.length + NONCE_BYTES + KEY_BYTES + TAG_BYTES;
export const HEADER_BYTES = WRAPPED_BYTES + SALT_BYTES;
/**
 * Size of a piece: the overhead of a piece no longer counts at this size, and a few of them in memory do not either.
 */
const PIECE_BYTES = 256 * 1024;
const SEALED_PIECE_BYTES = PIECE_BYTES + TAG_BYTES;
/** Bytes to read of a file at first: its header and its first piece. */
export const START_BYTES = HEADER_BYTES + SEALED_PIECE_BYTES;

/** The key of one file, with what stands of it in the file. */
export interface NewFileKey {
  /** 32 bytes: opens and seals that file alone. */
  readonly key: Uint8Array;
  readonly wrapped: Uint8Array;
}

/** A file by its path, with its key where it is sealed. */
export type FileToRead = string | { readonly path: string; readonly key: Uint8Array };

/** Returns true when a file with this beginning is sealed; shorter ones are not. */
export function isSealed(start: Uint8Array): boolean {
  return start.length >= HEADER_BYTES && MAGIC.equals(start.subarray(0, MAGIC.length));
}

/** The length of what a sealed file of so many bytes holds. Throws AlteredFileError for a length that no sealed file has. */
export function plainSizeOf(fileBytes: number): number {
  const body = fileBytes - HEADER_BYTES;
  const pieces = Math.ceil(body / SEALED_PIECE_BYTES);
  const plain = body - pieces * TAG_BYTES;
  if (body < TAG_BYTES || plain < 0) throw new AlteredFileError('the sealed file is not whole');
  return plain;
}

/** The whole of a sealed file. */
export function sealBytes(key: NewFileKey, plain: Uint8Array): Buffer {
  return Buffer.concat(sealedParts(key, plain));
}

/** The same in parts that are written one after another. */
export function sealedParts(key: NewFileKey, plain: Uint8Array): Uint8Array[] {
  const sealer = createPieceSealer(key);
  return [...sealer.add(plain), ...sealer.end()];
}

/** Decrypts a sealed file. Throws AlteredFileError when anything of it was altered. */
export function openBytes(key: Uint8Array, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
  return openPieces(key, bytes.length, (into, from) => bytes.copy(into, 0, from));
}

/** The same of a file that is read piece by piece by `read`, at once. Throws AlteredFileError. */
export function openPieces(key: Uint8Array, fileBytes: number, read: ReadAt): Buffer {
  const size = plainSizeOf(fileBytes);
  let plain: Buffer | null = null;
  let at = 0;
  for (const piece of openEachPiece(key, fileBytes, read)) {
    if (piece.length === size) return piece;
    plain ??= Buffer.allocUnsafe(size);
    at += piece.copy(plain, at);
  }
  return plain ?? Buffer.alloc(0);
}

/** Decrypts a sealed file, which is read piece by piece by `read`, and yields each piece. Throws AlteredFileError. */
export function* openEachPiece(key: Uint8Array, fileBytes: number, read: ReadAt): Generator<Buffer> {
  plainSizeOf(fileBytes);
  // The same memory for each piece is still at hand in the processor when it is opened.
  const into = Buffer.allocUnsafe(Math.min(START_BYTES, fileBytes));
  const start = readPart(read, into, 0);
  const pieceKey = pieceKeyOf(key, start);
  yield openPiece(pieceKey, pieceAt(start, 0), positionOf(fileBytes, 0));
  for (let number = 1; ; number += 1) {
    const from = HEADER_BYTES + number * SEALED_PIECE_BYTES;
    if (from >= fileBytes) return;
    const piece = readPart(read, into.subarray(0, Math.min(SEALED_PIECE_BYTES, fileBytes - from)), from);
    yield openPiece(pieceKey, piece, positionOf(fileBytes, number));
  }
}

/** Fills `into` from a position on, and returns the number of bytes read. */
type ReadAt = (into: Uint8Array, position: number) => number;

function readPart(read: ReadAt, into: Buffer, position: number): Buffer {
  for (let at = 0; at < into.length; ) {
    const got = read(into.subarray(at), position + at);
    if (got === 0) throw new AlteredFileError('the sealed file became shorter while it was read');
    at += got;
  }
  return into;
}

/** The first piece of a file of `fileBytes`, by its first START_BYTES or all of a shorter one. Throws AlteredFileError. */
export function openStart(key: Uint8Array, start: Buffer, fileBytes: number): Buffer {
  plainSizeOf(fileBytes);
  return openPiece(pieceKeyOf(key, start), pieceAt(start, 0), positionOf(fileBytes, 0));
}

/** Seals a stream, piece by piece. */
export async function* sealStream(
  key: NewFileKey,
  plain: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const sealer = createPieceSealer(key);
  for await (const chunk of plain) yield* sealer.add(chunk);
  yield* sealer.end();
}

/** Seals a file whose content comes in chunks of any length. */
export function createPieceSealer(key: NewFileKey): PieceSealer {
  return new PieceSealer(key);
}

export type { PieceSealer };

class PieceSealer {
  readonly #pieceKey: Buffer;
  readonly #buffered: Uint8Array[] = [];
  #bufferedBytes = 0;
  #number = 0;
  #ready: Uint8Array[];

  constructor({ key, wrapped }: NewFileKey) {
    const salt = randomBytes(SALT_BYTES);
    this.#pieceKey = pieceKeyOf(key, Buffer.concat([wrapped, salt]));
    this.#ready = [wrapped, salt];
  }

  /** Returns the bytes that can be written; the chunk is kept until then and must not be changed. */
  add(chunk: Uint8Array): Uint8Array[] {
    this.#buffered.push(chunk);
    this.#bufferedBytes += chunk.length;
    // A piece is sealed as the last one only when nothing follows.
    while (this.#bufferedBytes > PIECE_BYTES) this.#seal(false);
    return this.#takeReady();
  }

  /** The rest. */
  end(): Uint8Array[] {
    this.#seal(true);
    return this.#takeReady();
  }

  #takeReady(): Uint8Array[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  #seal(isLast: boolean): void {
    const nonce = nonceOf({ number: this.#number, isLast });
    const cipher = createCipheriv('aes-256-gcm', this.#pieceKey, nonce);
    let left = Math.min(PIECE_BYTES, this.#bufferedBytes);
    this.#bufferedBytes -= left;
    while (left > 0) {
      const chunk = this.#buffered.shift()!;
      if (chunk.length > left) this.#buffered.unshift(chunk.subarray(left));
      const taken = chunk.subarray(0, left);
      this.#ready.push(cipher.update(taken));
      left -= taken.length;
    }
    cipher.final();
    this.#ready.push(cipher.getAuthTag());
    this.#number += 1;
  }
}

/** Decrypts an open sealed file piece by piece; yields nothing of a piece before it was authenticated. */
export async function* openStream(
  key: Uint8Array,
  file: FileHandle,
  read: { readonly size: number; readonly start: Buffer } | null = null,
): AsyncGenerator<Buffer> {
  const size = read?.size ?? (await file.stat()).size;
  plainSizeOf(size);
  const startBytes = Math.min(START_BYTES, size);
  const start = read?.start.length === startBytes ? read.start : await readWhole(file, startBytes, 0);
  const pieceKey = pieceKeyOf(key, start);
  let coming = Promise.resolve(pieceAt(start, 0));
  for (let number = 0; ; number += 1) {
    const sealed = await coming;
    const place = positionOf(size, number);
    const next = HEADER_BYTES + (number + 1) * SEALED_PIECE_BYTES;
    if (!place.isLast) {
      // The disk reads while this piece is opened and its reader has it.
      coming = readWhole(file, Math.min(SEALED_PIECE_BYTES, size - next), next);
      coming.catch(() => undefined);
    }
    yield openPiece(pieceKey, sealed, place);
    if (place.isLast) return;
  }
}

async function readWhole(file: FileHandle, length: number, position: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(bytes, at, length - at, position + at);
    if (bytesRead === 0) throw new AlteredFileError('the sealed file became shorter while it was read');
    at += bytesRead;
  }
  return bytes;
}

/** A piece in the bytes of a file, or of its start. */
function pieceAt(file: Buffer, number: number): Buffer {
  const from = HEADER_BYTES + number * SEALED_PIECE_BYTES;
  return file.subarray(from, from + SEALED_PIECE_BYTES);
}

function positionOf(fileBytes: number, number: number): PiecePosition {
  return { number, isLast: HEADER_BYTES + (number + 1) * SEALED_PIECE_BYTES >= fileBytes };
}

interface PiecePosition {
  readonly number: number;
  readonly isLast: boolean;
}

function openPiece(key: Buffer, sealed: Buffer, place: PiecePosition): Buffer {
  try {
    return decrypt(key, nonceOf(place), sealed, null);
  } catch (cause) {
    throw new AlteredFileError('the sealed file was altered', { cause });
  }
}

function nonceOf({ number, isLast }: PiecePosition): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce[0] = isLast ? 1 : 0;
  nonce.writeBigUInt64BE(BigInt(number), NONCE_BYTES - 8);
  return nonce;
}

/** By the header, which a longer `start` may begin with. */
function pieceKeyOf(key: Uint8Array, start: Uint8Array): Buffer {
  return createHmac('sha256', key).update(start.subarray(WRAPPED_BYTES, HEADER_BYTES)).digest();
}

/** Decrypts data that was sealed with a key; `sealed` ends with its tag. Throws SealError when anything was altered. */
export function decrypt(key: Uint8Array, nonce: Uint8Array, sealed: Buffer, about: Buffer | null): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  if (about !== null) decipher.setAAD(about);
  try {
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const plain = decipher.update(sealed.subarray(0, -TAG_BYTES));
    decipher.final();
    return plain;
  } catch (error) {
    throw new SealError('what was sealed was altered or does not open with this key', { cause: error });
  }
}
