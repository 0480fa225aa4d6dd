import { decodeMessage } from './decode.ts';
import { GROUP, IppFormatError, type IppMessage, LAST_DELIMITER } from './message.ts';

/** Attributes of honest requests take some hundred bytes; those of a printer some thousand. */
const MAX_BYTES = 64 * 1024;
const HEAD_BYTES = 8;
/** Tag and length of the name. */
const NAME_AT = 3;

/** A request: its attributes, and the document after them, which has not been read yet. */
interface IppRequest {
  readonly message: IppMessage;
  readonly document: AsyncIterable<Buffer>;
}

/**
 * Reads the attributes of a request from its body and leaves the document in it. However small the pieces are that arrive, no
 * byte is looked at twice. Throws IppFormatError for a message that is broken or larger than 64 KiB.
 */
export async function readMessage(body: AsyncIterable<Buffer>): Promise<IppRequest> {
  const chunks = body[Symbol.asyncIterator]();
  const scanner = new Scanner();
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) throw new IppFormatError('the message breaks off');
    const rest = scanner.add(value);
    if (rest !== null) return { message: decodeMessage(scanner.bytes), document: following(rest, chunks) };
  }
}

async function* following(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return;
    yield value;
  }
}

/** Collects the attributes and finds their end by the lengths in them. */
class Scanner {
  #buffer = Buffer.allocUnsafe(1024);
  #length = 0;
  /** Position of the next tag. */
  #at = HEAD_BYTES;

  /** Returns the bytes after the end, or null when the end has not come yet. */
  add(chunk: Buffer): Buffer | null {
    const before = this.#length;
    const taken = chunk.subarray(0, MAX_BYTES - before);
    this.#append(taken);
    const end = this.#findEnd();
    if (end !== null) {
      this.#length = end;
      return chunk.subarray(end - before);
    }
    if (this.#length >= MAX_BYTES) throw new IppFormatError('the attributes are too large');
    return null;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #append(chunk: Buffer): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(MAX_BYTES, Math.max(needed, this.#buffer.length * 2)));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length);
    this.#length = needed;
  }

  #findEnd(): number | null {
    while (this.#at < this.#length) {
      const tag = this.#buffer[this.#at] ?? 0;
      if (tag === GROUP.end) return this.#at + 1;
      const next = tag <= LAST_DELIMITER ? this.#at + 1 : this.#afterValue();
      if (next === null) return null;
      this.#at = next;
    }
    return null;
  }

  /** Returns the position of the next tag; null while the lengths of this value are not here yet. */
  #afterValue(): number | null {
    if (this.#at + NAME_AT > this.#length) return null;
    const valueAt = this.#at + NAME_AT + this.#buffer.readUInt16BE(this.#at + 1);
    if (valueAt + 2 > this.#length) return null;
    return valueAt + 2 + this.#buffer.readUInt16BE(valueAt);
  }
}
