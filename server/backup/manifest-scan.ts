import { DamagedBackupError } from './errors.ts';
import { NOT_VALID } from './manifest.ts';

/** Length of an entry: the longest name that a system takes, and its numbers. */
export const MAX_ENTRY_BYTES = 8 * 1024;
/** Length of the rest of a manifest, most of it names of documents that are missing. */
export const MAX_FACTS_BYTES = 256 * 1024 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Depth of the manifest's own fields, of its lists and of the entries in one. */
const FIELDS = 1;
const LIST = 2;
const LIST_NAME = 'entries';

/**
 * Yields the JSON of each entry of a manifest, which may be longer than a text can be, and calls `onRest` at the end with the manifest without
 * them: its list of entries is empty there, unless it is not a list of objects. Throws DamagedBackupError.
 */
export async function* scanManifest(
  bytes: AsyncIterable<Uint8Array>,
  onRest: (text: string) => void = () => undefined,
): AsyncGenerator<string> {
  const scanner = new Scanner();
  for await (const piece of bytes) yield* scanner.scan(piece);
  onRest(scanner.rest());
}

/** Bytes of several pieces that belong together, in one buffer: millions of small ones would take many times their length. */
class Gathered {
  #buffer = Buffer.alloc(1024);
  #used = 0;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(piece: Uint8Array): void {
    const used = this.#used + piece.length;
    if (used > this.#maxBytes) throw new DamagedBackupError(NOT_VALID);
    if (used > this.#buffer.length)
      this.#buffer = Buffer.concat([this.#buffer.subarray(0, this.#used)], Math.max(used, 2 * this.#used));
    this.#buffer.set(piece, this.#used);
    this.#used = used;
  }

  take(): string {
    const text = this.#buffer.toString('utf8', 0, this.#used);
    this.#used = 0;
    return text;
  }
}

/** Reads JSON byte by byte: everything that matters is ASCII, and no other character of UTF-8 has such a byte. */
class Scanner {
  readonly #rest = new Gathered(MAX_FACTS_BYTES);
  readonly #entry = new Gathered(MAX_ENTRY_BYTES);
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** Last text among the fields, as far as it may be the name of the list. */
  #field = '';
  #isInList = false;
  #isInEntry = false;
  /** In the list: an entry was read after the last comma. */
  #hasEntry = false;
  /** In the list: a comma was read and no entry yet. */
  #needsEntry = false;

  get #isBetweenEntries(): boolean {
    return this.#isInList && this.#depth === LIST;
  }

  *scan(piece: Uint8Array): Generator<string> {
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] as number;
      if (this.#isInText) this.#readText(byte);
      else if (byte === QUOTE) this.#beginText();
      else if (byte === OPEN_OBJECT && this.#isBetweenEntries && !this.#hasEntry) {
        this.#rest.add(piece.subarray(from, at));
        from = at;
        this.#beginEntry();
      } else if (byte === COMMA && this.#isBetweenEntries && this.#hasEntry) {
        this.#rest.add(piece.subarray(from, at));
        from = at + 1;
        this.#hasEntry = false;
        this.#needsEntry = true;
      } else if (this.#readStructure(byte)) {
        this.#entry.add(piece.subarray(from, at + 1));
        from = at + 1;
        yield this.#entry.take();
      }
    }
    (this.#isInEntry ? this.#entry : this.#rest).add(piece.subarray(from));
  }

  rest(): string {
    return this.#rest.take();
  }

  #readText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
    else if (this.#depth === FIELDS && this.#field.length <= LIST_NAME.length)
      this.#field += String.fromCharCode(byte);
  }

  #beginText(): void {
    this.#isInText = true;
    if (this.#depth === FIELDS) this.#field = '';
  }

  #beginEntry(): void {
    this.#hasEntry = true;
    this.#needsEntry = false;
    this.#isInEntry = true;
    this.#depth += 1;
  }

  /** Returns true at the end of an entry. */
  #readStructure(byte: number): boolean {
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (byte === OPEN_LIST && this.#depth === FIELDS && this.#field === LIST_NAME) this.#beginList();
      this.#depth += 1;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      this.#depth -= 1;
      if (this.#isInEntry && this.#depth === LIST) return this.#endEntry();
      if (this.#isInList && this.#depth === FIELDS) this.#endList();
    } else if (byte === COMMA && this.#depth === FIELDS) this.#field = '';
    return false;
  }

  #beginList(): void {
    this.#isInList = true;
    this.#hasEntry = false;
    this.#needsEntry = false;
  }

  #endEntry(): true {
    this.#isInEntry = false;
    return true;
  }

  #endList(): void {
    // The comma stays, so that the rest is refused.
    if (this.#needsEntry) this.#rest.add(Buffer.from(','));
    this.#isInList = false;
  }
}
