import { type FileHandle, open } from 'node:fs/promises';
import { TAG_BYTES } from './chacha20-poly1305.ts';
import { AgeError } from './errors.ts';
import { isAgeText, MAX_HEADER_BYTES, openHeader, parseHeader } from './header.ts';
import type { AgeIdentity } from './keys.ts';
import {
  createPayloadCipher,
  PAYLOAD_NONCE_BYTES,
  type PayloadCipher,
  PIECE_BYTES,
  SEALED_PIECE_BYTES,
} from './payload.ts';

/** Plain content of a file of the age format, of which any part can be read. Nothing plain is written anywhere. */
interface AgeFile {
  /** Plain bytes. */
  readonly size: number;
  /** Yields the bytes from `start` to `end`, without the latter. Throws AgeError where they were altered. */
  bytes(start: number, end: number): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

/** Returns true when the file begins as one of the age format; false also for one that is not there. */
export async function isAgeFile(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return false;
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(32), 0, 32, 0);
    return isAgeText(buffer.subarray(0, bytesRead).toString('latin1'));
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

/** Opens a file by its header and checks its last piece, so that one that was cut off is refused. Throws AgeError, and the error of the disk. */
export async function openAgeFile(path: string, identities: readonly AgeIdentity[]): Promise<AgeFile> {
  const file = await open(path, 'r');
  try {
    const { size: fileBytes } = await file.stat();
    const header = parseHeader(await readAt(file, 0, Math.min(fileBytes, MAX_HEADER_BYTES)));
    const fileKey = await openHeader(header, identities);
    const nonce = await readAt(file, header.length, PAYLOAD_NONCE_BYTES);
    const from = header.length + PAYLOAD_NONCE_BYTES;
    const cipher = await createPayloadCipher(fileKey, nonce);
    const opened = new OpenedFile(file, cipher, { from, sealedBytes: fileBytes - from });
    await opened.checkEnd();
    return opened;
  } catch (error) {
    await file.close();
    throw error;
  }
}

class OpenedFile implements AgeFile {
  readonly size: number;
  readonly #file: FileHandle;
  readonly #cipher: PayloadCipher;
  readonly #from: number;
  readonly #sealedBytes: number;
  readonly #pieces: number;
  /** The piece that was read last: a reader of a zip returns to it often. */
  #kept: { index: number; bytes: Uint8Array } | null = null;

  constructor(file: FileHandle, cipher: PayloadCipher, layout: { from: number; sealedBytes: number }) {
    this.#file = file;
    this.#cipher = cipher;
    this.#from = layout.from;
    this.#sealedBytes = layout.sealedBytes;
    this.#pieces = Math.max(1, Math.ceil(layout.sealedBytes / SEALED_PIECE_BYTES));
    this.size = layout.sealedBytes - this.#pieces * TAG_BYTES;
  }

  async checkEnd(): Promise<void> {
    const last = await this.#piece(this.#pieces - 1);
    // An empty piece is written for an empty content only.
    if (last.length === 0 && this.#pieces > 1) throw new AgeError('damaged');
  }

  async *bytes(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; ) {
      const index = Math.floor(at / PIECE_BYTES);
      const inPiece = at - index * PIECE_BYTES;
      const bytes = (await this.#piece(index)).subarray(inPiece, inPiece + end - at);
      if (bytes.length === 0) throw new AgeError('damaged');
      yield bytes;
      at += bytes.length;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #piece(index: number): Promise<Uint8Array> {
    if (this.#kept?.index === index) return this.#kept.bytes;
    const at = index * SEALED_PIECE_BYTES;
    const sealed = Math.min(SEALED_PIECE_BYTES, this.#sealedBytes - at);
    if (sealed < TAG_BYTES) throw new AgeError('damaged');
    const read = await readAt(this.#file, this.#from + at, sealed);
    const bytes = this.#cipher.open(index, read, index === this.#pieces - 1);
    this.#kept = { index, bytes };
    return bytes;
  }
}

/** Throws AgeError where the file is shorter. */
async function readAt(file: FileHandle, at: number, count: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, at);
  if (bytesRead < count) throw new AgeError('damaged');
  return buffer;
}
