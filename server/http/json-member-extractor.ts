const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING: readonly number[] = [0x7b, 0x5b];
const CLOSING: readonly number[] = [0x7d, 0x5d];

interface Extracted {
  /** The JSON with an empty string as the value of the member. */
  readonly rest: readonly Buffer[];
  /** Value of the member as written, with its escapes. */
  readonly value: readonly Buffer[];
}

/** Extracts the string value of one member of the outermost object from JSON that arrives in pieces. */
export function createJsonMemberExtractor(member: string): JsonMemberExtractor {
  return new JsonMemberExtractor(member);
}

class JsonMemberExtractor {
  readonly #member: string;
  #depth = 0;
  #inside: 'nothing' | 'text' | 'member' = 'nothing';
  #isEscaped = false;
  #isValue = false;
  /** Name of the present member, cut off where it is longer than the wanted one. */
  #name = '';
  #count = 0;

  constructor(member: string) {
    this.#member = member;
  }

  /** Number of members with that name so far. */
  get count(): number {
    return this.#count;
  }

  extract(piece: Buffer): Extracted {
    const rest: Buffer[] = [];
    const value: Buffer[] = [];
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const was = this.#inside;
      if (was === 'member' && !this.#isEscaped) at = findDelimiter(piece, at);
      if (at === piece.length) break;
      this.#step(piece[at] ?? 0);
      if (was === this.#inside) continue;
      // The quotes on both sides stay in the JSON.
      if (this.#inside === 'member') {
        rest.push(piece.subarray(start, at + 1));
        start = at + 1;
      } else if (was === 'member') {
        value.push(piece.subarray(start, at));
        start = at;
      }
    }
    (this.#inside === 'member' ? value : rest).push(piece.subarray(start));
    return { rest, value };
  }

  #step(byte: number): void {
    if (this.#inside !== 'nothing') this.#stepInText(byte);
    else if (byte === QUOTE) this.#open();
    else if (byte === COLON) this.#isValue = true;
    else if (byte === COMMA) this.#isValue = false;
    else if (OPENING.includes(byte)) {
      this.#depth += 1;
      this.#isValue = false;
    } else if (CLOSING.includes(byte)) this.#depth -= 1;
  }

  #open(): void {
    const isMember = this.#depth === 1 && this.#isValue && this.#name === this.#member;
    if (isMember) this.#count += 1;
    this.#inside = isMember ? 'member' : 'text';
    if (!this.#isValue) this.#name = '';
  }

  #stepInText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#inside = 'nothing';
      return;
    }
    if (!this.#isValue && this.#name.length <= this.#member.length) this.#name += String.fromCharCode(byte);
  }
}

/** Returns the position of the next quote or backslash. A loop, since a document is millions of other characters. */
function findDelimiter(piece: Buffer, from: number): number {
  let at = from;
  while (at < piece.length && piece[at] !== QUOTE && piece[at] !== BACKSLASH) at += 1;
  return at;
}
