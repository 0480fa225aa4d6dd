import type { Request } from 'express';
import { RefusalError } from '../platform/errors.ts';
import { createJoinedPieces } from './joined-pieces.ts';

/** Far more than any list of a request takes; a larger one would be checked for longer than others should wait. */
const MAX_BYTES = 256 * 1024;
/** Maximum body of a caller that is not authenticated yet, at a sign-in or with a pairing code. */
export const UNAUTHENTICATED_BODY_BYTES = 8 * 1024;
/** For the first pieces of a body. */
const INITIAL_BYTES = 1024;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/iu;

/**
 * The JSON of a request body of at most `maxBytes`; undefined when there is none. Throws 413 for a larger body, unread when
 * its length says so, 415 for another content type or charset, and 400 for what is not JSON in UTF-8.
 */
export async function readJsonBody(request: Request, maxBytes = MAX_BYTES): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new RefusalError('too_large');
  const rest = new JsonRest(maxBytes);
  await readPieces(request, (piece) => rest.add(piece));
  return rest.parse(request);
}

/** The bytes of a body that are to be parsed as JSON. */
export function createJsonRest(maxBytes = MAX_BYTES): JsonRest {
  return new JsonRest(maxBytes);
}

class JsonRest {
  readonly #maxBytes: number;
  /** Pieces are copied: one that is kept takes some hundred bytes, and there may be one for each byte. */
  #bytes = Buffer.alloc(0);
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Throws 413 when they are too many. */
  add(piece: Buffer): void {
    const size = this.#size + piece.length;
    if (size > this.#maxBytes) throw new RefusalError('too_large');
    if (size > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(INITIAL_BYTES, 2 * size));
      this.#bytes.copy(larger, 0, 0, this.#size);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#size);
    this.#size = size;
  }

  /** Undefined when there are none. Throws as `readJsonBody`. */
  parse(request: Request): unknown {
    if (this.#size === 0) return undefined;
    if (!JSON_TYPE.test(request.get('content-type') ?? '')) throw new RefusalError('json_expected');
    return parsed(this.#bytes.subarray(0, this.#size));
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\\u0000') ? JSON.parse(text, withoutNul) : JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which may hold a password.
    throw unreadable('the body is not JSON in UTF-8');
  }
}

function withoutNul(name: string, value: unknown): unknown {
  if (containsNul(name) || containsNul(value)) throw unreadable('a text holds NUL');
  return value;
}

/** The character NUL: PostgreSQL stores no text with it, and SQLite reads a pattern only up to it. */
export function containsNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0');
}

/**
 * Hands over the body as it arrives, small pieces joined. Throws 400 when the caller breaks off, what `onPiece` throws of its own,
 * and the reason of `signal` once that is aborted.
 */
export async function readPieces(
  request: Request,
  onPiece: (piece: Buffer) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<void> {
  const reading = new PieceReader(request, onPiece);
  try {
    await reading.readAll(signal);
  } catch (error) {
    const isOurs = error instanceof RefusalError || (error instanceof Error && 'syscall' in error);
    throw isOurs ? error : unreadable('the caller broke off');
  } finally {
    reading.stop();
  }
}

/** A loop over the request costs three times as much for each piece, and a caller may send one for each byte. */
class PieceReader {
  readonly #request: Request;
  readonly #onPiece: (piece: Buffer) => Promise<void> | void;
  readonly #pieces = createJoinedPieces();
  readonly #end = Promise.withResolvers<void>();
  #taking: Promise<void> = Promise.resolve();

  constructor(request: Request, onPiece: (piece: Buffer) => Promise<void> | void) {
    this.#request = request;
    this.#onPiece = onPiece;
  }

  async readAll(signal?: AbortSignal): Promise<void> {
    const request = this.#request;
    // The piece under way is finished first.
    const abort = () =>
      void this.#taking.finally(() => this.#end.reject(signal?.reason)).catch(() => undefined);
    signal?.addEventListener('abort', abort);
    request.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose);
    if (signal?.aborted) abort();
    else if (request.destroyed) this.#onClose();
    try {
      await this.#end.promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** The rest of the request is still to come, and the refusal to be sent over its connection. */
  stop(): void {
    const request = this.#request;
    request.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    if (!request.readableEnded) request.pause();
  }

  readonly #onData = (chunk: Buffer) => {
    const joined = this.#pieces.add(chunk);
    if (joined === null) return;
    this.#request.pause();
    this.#next(joined, () => this.#request.resume());
  };

  readonly #onEnd = () => this.#next(this.#pieces.flush(), this.#end.resolve);

  readonly #onClose = () => {
    if (!this.#request.readableEnded) this.#end.reject(unreadable('the caller broke off'));
  };

  #next(piece: Buffer, then: () => void): void {
    this.#taking = (async () => this.#onPiece(piece))();
    this.#taking.then(then, this.#end.reject);
  }
}

/** 400; the message is for the log. */
export function unreadable(message: string): RefusalError {
  return new RefusalError('unreadable_request', { message });
}
