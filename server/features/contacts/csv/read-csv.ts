import { fileRefused } from '../errors.ts';

/** One line of values. `line` counts from 1 where it begins in the file: a quoted value may hold line breaks. */
export interface CsvLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/** As text, by its byte order mark, and else UTF-8 or what older programs of Windows save. Throws a 400 refusal for neither. */
export function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.includes(0))
    throw fileRefused('The file is not a CSV file. Save it as CSV (UTF-8) and import that.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** RFC 4180 with any line break, separated by what the first line has most of. Lines without a value are left out. */
export function readCsv(text: string): CsvLine[] {
  const separator = separatorOf(text.split(/[\r\n]/u, 1)[0] ?? '');
  const reader = new Reader(separator);
  for (let at = 0; at < text.length; at = reader.take(text, at));
  return reader.end().filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

function separatorOf(head: string): string {
  const count = (sign: string) => head.split(sign).length;
  const signs = [',', ';', '\t'];
  return signs.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

class Reader {
  readonly #separator: string;
  readonly #lines: CsvLine[] = [];
  #cells: string[] = [];
  #cell = '';
  #isQuoted = false;
  #line = 1;
  #began = 1;

  constructor(separator: string) {
    this.#separator = separator;
  }

  /** Takes what stands at `at`; answers where to go on. */
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
    this.#cells.push(this.#cell);
    this.#cell = '';
  }

  #endLine(): void {
    this.#endCell();
    this.#lines.push({ line: this.#began, cells: this.#cells });
    this.#cells = [];
    this.#began = this.#line;
  }
}
