import { setImmediate } from 'node:timers/promises';

/** Lines of values; the first line names the columns. */
const MAX_LINES = 20_000;
/** The address books of large programs have some hundred. */
const MAX_COLUMNS = 500;
/** Characters that are read without a pause: a few milliseconds. */
const PIECE = 50_000;

/** Makes the refusal of a file from its sentence. */
type Refuse = (sentence: string) => Error;

/** One line of values. `line` counts from 1 where it begins in the file: a quoted value may hold line breaks. */
export interface CsvLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Decodes the file by its byte order mark, else as UTF-8 or the encoding of older Windows programs. Throws the
 * error of `refuse` for neither.
 */
export function decodeCsv(bytes: Uint8Array, refuse: Refuse): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.includes(0)) throw refuse('The file is not a CSV file. Save it as CSV (UTF-8) and import that.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * RFC 4180 with any line break, with the separator that is most frequent in the first line. Lines without a value are left out. Others are
 * served meanwhile. Throws the error of `refuse` for more lines or columns than any address book has.
 */
export async function readCsv(text: string, refuse: Refuse): Promise<CsvLine[]> {
  const separator = separatorOf(firstLine(text));
  const reader = new Reader(separator, refuse);
  for (let at = 0, pause = PIECE; at < text.length; at = reader.take(text, at))
    if (at >= pause) {
      pause = at + PIECE;
      await setImmediate();
    }
  return reader.end();
}

function firstLine(text: string): string {
  const end = text.search(/[\r\n]/u);
  return end === -1 ? text : text.slice(0, end);
}

function separatorOf(head: string): string {
  const count = (sign: string) => head.split(sign).length;
  const signs = [',', ';', '\t'];
  return signs.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

class Reader {
  readonly #separator: string;
  readonly #refuse: Refuse;
  readonly #lines: CsvLine[] = [];
  #cells: string[] = [];
  #cell = '';
  #isQuoted = false;
  #line = 1;
  #began = 1;

  constructor(separator: string, refuse: Refuse) {
    this.#separator = separator;
    this.#refuse = refuse;
  }

  /** Consumes the character at `at`; returns the next position. */
  take(text: string, at: number): number {
    const sign = text[at] as string;
    const isBreak = sign === '\n' || (sign === '\r' && text[at + 1] !== '\n');
    if (isBreak) this.#line += 1;
    if (this.#isQuoted) return this.#takeQuoted(sign, text, at);
    if (sign === '"' && this.#cell === '') this.#isQuoted = true;
    else if (sign === this.#separator) this.#endCell();
    else if (isBreak) this.#endLine();
    else if (sign !== '\r') this.#cell += sign;
    return at + 1;
  }

  /** Returns the lines, ending the last one. */
  end(): CsvLine[] {
    this.#endLine();
    return this.#lines;
  }

  #takeQuoted(sign: string, text: string, at: number): number {
    if (sign !== '"') this.#cell += sign;
    else if (text[at + 1] !== '"') this.#isQuoted = false;
    else {
      this.#cell += sign;
      return at + 2;
    }
    return at + 1;
  }

  #endCell(): void {
    if (this.#cells.length === MAX_COLUMNS)
      throw this.#refuse(`Line ${this.#began} of the file has more than ${MAX_COLUMNS} columns.`);
    this.#cells.push(this.#cell);
    this.#cell = '';
  }

  #endLine(): void {
    this.#endCell();
    if (this.#cells.some((cell) => cell.trim() !== '')) {
      if (this.#lines.length > MAX_LINES)
        throw this.#refuse(`The file has more than ${MAX_LINES} lines. Split it and import the parts.`);
      this.#lines.push({ line: this.#began, cells: this.#cells });
    }
    this.#cells = [];
    this.#began = this.#line;
  }
}
