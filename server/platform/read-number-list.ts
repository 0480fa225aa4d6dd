import { LIMITS } from '../../shared/limits.ts';
import { type CsvLine, decodeCsv, readCsv } from './read-csv.ts';

/** A number as a list names it. */
export interface ListedNumber {
  /** Line of the list, from 1. */
  readonly line: number;
  /** The number as it was written. */
  readonly text: string;
  readonly name: string | null;
  /** Further columns of the list, by their heading. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Further columns, and the length of their values. */
const MAX_FIELDS = 30;
const MAX_VALUE = 500;
const MAX_SHOWN = 60;

const NUMBER_NAMES = [
  'fax number',
  'fax',
  'business fax',
  'work fax',
  'recipient fax number',
  'number',
  'phone',
  'phone number',
  'to',
  'recipient',
];
const NAME_NAMES = [
  'name',
  'full name',
  'display name',
  'recipient name',
  'contact',
  'contact name',
  'organization',
  'company',
  'practice',
];

/** Signs of a number as people write it. */
const NUMBER = /^[+\d()\-./\s]{3,60}$/u;
const looksLikeNumber = (cell: string) => NUMBER.test(cell) && /\d{3}/u.test(cell.replaceAll(/\D/gu, ''));

/**
 * Reads a list of fax numbers: line by line or separated in a line, or CSV with or without a first line that names its
 * columns. Throws the error of `refuse` for a file that is no text, and for too many lines.
 */
export async function readNumberList(
  given: Uint8Array | string,
  { refuse, maxLines }: { refuse: (sentence: string) => Error; maxLines: number },
): Promise<ListedNumber[]> {
  const text = typeof given === 'string' ? given : decodeCsv(given, refuse);
  const lines = await readCsv(text.replace(/^\uFEFF/u, ''), refuse);
  const [head, ...rest] = lines;
  if (!head) return [];
  const columns = columnsOf(head, rest[0]);
  const listed = columns === null ? lines.flatMap(plainLine) : rest.map((line) => namedLine(line, columns));
  if (listed.length > maxLines)
    throw refuse(`The list has more than ${maxLines.toLocaleString('en')} lines. Split it.`);
  return listed;
}

interface Columns {
  readonly names: readonly string[];
  readonly number: number;
  readonly name: number;
}

/** Returns the columns that the first line names; null when it names none, but is a recipient itself. */
function columnsOf({ cells }: CsvLine, first: CsvLine | undefined): Columns | null {
  if (!first || cells.some((cell) => looksLikeNumber(cell.trim()))) return null;
  const folded = cells.map((cell) =>
    cell
      .slice(0, MAX_VALUE)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  const named = indexOfAny(folded, NUMBER_NAMES);
  const number = named === -1 ? first.cells.findIndex((cell) => looksLikeNumber(cell.trim())) : named;
  if (number === -1 || (named === -1 && cells.length === 1)) return null;
  const name = indexOfAny(folded, NAME_NAMES);
  return { names: cells.map((cell) => visibleText(cell)), number, name: name === number ? -1 : name };
}

function indexOfAny(columns: readonly string[], names: readonly string[]): number {
  for (const name of names) {
    const at = columns.indexOf(name);
    if (at !== -1) return at;
  }
  return -1;
}

function namedLine({ line, cells }: CsvLine, { names, number, name }: Columns): ListedNumber {
  const others = names.flatMap((column, at): [string, string][] => {
    const value = visibleText(cells[at] ?? '');
    return at === number || column === '' || value === '' ? [] : [[column, value]];
  });
  return {
    line,
    text: visibleText(cells[number] ?? '').slice(0, MAX_SHOWN),
    name: nameIn(cells[name] ?? ''),
    fields: Object.fromEntries(others.slice(0, MAX_FIELDS)),
  };
}

/** A line without named columns: only numbers, or a number with a name. */
function plainLine({ line, cells }: CsvLine): ListedNumber[] {
  const filled = cells
    .flatMap((cell) => cell.split(/[,;]/u))
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
  const numbers = filled.filter(looksLikeNumber);
  const [number] = numbers;
  const isNamed = number !== undefined && numbers.length < filled.length;
  // Without a number, the whole line is shown.
  const texts = number === undefined ? [filled.join(', ')] : isNamed ? [number] : numbers;
  const name = isNamed ? nameIn(filled.find((cell) => !looksLikeNumber(cell)) ?? '') : null;
  return texts.map((text) => ({ line, text: visibleText(text).slice(0, MAX_SHOWN), name, fields: {} }));
}

const nameIn = (cell: string): string | null =>
  visibleText(cell).slice(0, LIMITS.contactLengths.name).toWellFormed() || null;

/** Returns a cell as one visible line. */
function visibleText(cell: string): string {
  return cell
    .slice(0, MAX_VALUE)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
}
