import type { Request } from 'express';
import { RefusalError } from '../platform/errors.ts';

const MOST_BYTES = 1024 * 1024;
/** Of who is not known yet, at a sign-in or with a pairing code, little is read. */
export const STRANGERS_BYTES = 8 * 1024;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/iu;

/**
 * The JSON of a request body of at most `mostBytes`; undefined when there is none. Throws 413 for a larger body, unread when
 * its length says so, 415 for another content type or charset, and 400 for what is not JSON in UTF-8.
 */
export async function readJsonBody(request: Request, mostBytes = MOST_BYTES): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw new RefusalError('too_large');
  const rest = new JsonRest(mostBytes);
  await eachPiece(request, (piece) => rest.add(piece));
  return rest.parse(request);
}

/** The bytes of a body that are to be parsed as JSON. */
export function createJsonRest(mostBytes = MOST_BYTES): JsonRest {
  return new JsonRest(mostBytes);
}

export type { JsonRest };

class JsonRest {
  readonly #chunks: Buffer[] = [];
  readonly #mostBytes: number;
  #size = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Throws 413 when they are too many. */
  add(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > this.#mostBytes) throw new RefusalError('too_large');
    this.#chunks.push(piece);
  }

  /** Undefined when there are none. Throws as `readJsonBody`. */
  parse(request: Request): unknown {
    if (this.#size === 0) return undefined;
    if (!JSON_TYPE.test(request.get('content-type') ?? '')) throw new RefusalError('json_expected');
    return parsed(Buffer.concat(this.#chunks, this.#size));
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
  if (holdsNul(name) || holdsNul(value)) throw unreadable('a text holds NUL');
  return value;
}

/** The character NUL: PostgreSQL stores no text with it, and SQLite reads a pattern only up to it. */
export function holdsNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0');
}

/**
 * Hands over the body as it arrives. Throws 400 when the caller breaks off, what `take` throws of its own, and the reason of
 * `signal` once that is aborted.
 */
export async function eachPiece(
  request: Request,
  take: (piece: Buffer) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<void> {
  try {
    // Leaving the loop must not destroy the request: the refusal is still to be sent over its connection.
    const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const piece of signal ? until(signal, pieces) : pieces) await take(piece);
  } catch (error) {
    const isOurs = error instanceof RefusalError || (error instanceof Error && 'syscall' in error);
    throw isOurs ? error : unreadable('the caller broke off');
  }
}

/** The same pieces; throws the reason of the signal once it is aborted, whether or not a piece comes. */
async function* until(signal: AbortSignal, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  aborted.catch(() => undefined);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), aborted]);
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // A read that waits ends only with the request.
    void iterator.return?.();
  }
}

/** 400; the message is for the log. */
export function unreadable(message: string): RefusalError {
  return new RefusalError('unreadable_request', { message });
}
