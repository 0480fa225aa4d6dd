import { LIMITS } from '../../../../shared/limits.ts';
import { fileRefused } from '../errors.ts';
import type { CsvLine } from './read-csv.ts';

/** Values of a line as written; values without a column in its file are left out. */
export interface CsvContact {
  readonly name?: string;
  readonly organization?: string;
  readonly fax_number?: string;
  readonly send_together_minutes?: string;
  readonly encoded_pages?: string;
  readonly blocked?: string;
  readonly note?: string;
}

type Place = keyof CsvContact | 'first' | 'middle' | 'last';

/** Column names of common address books, in lower case without signs; of several the first filled one counts. */
const NAMES: Readonly<Record<Place, readonly string[]>> = {
  name: ['name', 'full name', 'display name', 'contact', 'contact name'],
  first: ['first name', 'given name'],
  middle: ['middle name', 'additional name'],
  last: ['last name', 'family name', 'surname'],
  organization: ['organization', 'organisation', 'organization name', 'company', 'company name', 'practice'],
  fax_number: [
    'fax number',
    'fax',
    'business fax',
    'work fax',
    'fax phone',
    'fax work',
    'other fax',
    'home fax',
    'recipient fax number',
  ],
  send_together_minutes: ['send together minutes', 'send together'],
  encoded_pages: ['encoded pages'],
  blocked: ['blocked'],
  note: ['note', 'notes', 'comment', 'comments', 'remarks'],
};

const MAX_CELL = 2 * LIMITS.contactLengths.note;

/** Google names the kind of each number in a column beside it. */
const LABELED = /^phone (\d+) (?:value|label|type)$/u;

/** Reads lines by the columns that the first one names. Throws a 400 refusal when it names no number or no name. */
export function readerOf(head: CsvLine): (line: CsvLine) => CsvContact {
  const columns = head.cells.map((cell) =>
    cell
      .slice(0, MAX_CELL)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  const places = Object.fromEntries(
    Object.entries(NAMES).map(([place, names]) => [place, indexesOf(columns, names)]),
  ) as Record<Place, number[]>;
  const labeled = labeledNumbers(columns);
  if (places.fax_number.length + labeled.length === 0)
    throw fileRefused('The first line has no column "Fax number". Add one and import the file again.');
  if (places.name.length + places.first.length + places.last.length + places.organization.length === 0)
    throw fileRefused('The first line has no column "Name". Add one and import the file again.');
  return ({ cells }) => contactOf(cells, places, labeled);
}

function contactOf(
  cells: readonly string[],
  places: Record<Place, number[]>,
  labeled: readonly { label: number; value: number }[],
): CsvContact {
  // Longer than any field of a contact, so that the line is reported as too long.
  const cell = (at: number) => withoutFormulaGuard((cells[at] ?? '').slice(0, MAX_CELL)).trim();
  const first = (at: readonly number[]) => {
    for (const place of at) {
      const text = cell(place);
      if (text !== '') return text;
    }
    return '';
  };
  const parts = [places.first, places.middle, places.last].map(first).filter((text) => text !== '');
  const organization = first(places.organization);
  const byLabel = labeled.find(({ label }) => /\bfax\b/iu.test(cell(label)));
  const number = first(places.fax_number) || (byLabel ? cell(byLabel.value) : '');
  const has = (place: keyof CsvContact, text: string) => (places[place].length > 0 ? { [place]: text } : {});
  return {
    name: first(places.name) || parts.join(' ') || organization,
    fax_number: number,
    ...has('organization', organization),
    ...has('send_together_minutes', first(places.send_together_minutes)),
    ...has('encoded_pages', first(places.encoded_pages)),
    ...has('blocked', first(places.blocked)),
    ...has('note', first(places.note)),
  };
}

function indexesOf(columns: readonly string[], names: readonly string[]): number[] {
  return names.flatMap((name) => columns.flatMap((column, at) => (column === name ? [at] : [])));
}

function labeledNumbers(columns: readonly string[]): { label: number; value: number }[] {
  const labels = new Map<string, number>();
  const values: { number: string; value: number }[] = [];
  for (const [at, column] of columns.entries()) {
    const number = LABELED.exec(column)?.[1];
    if (number === undefined) continue;
    if (column.endsWith('value')) values.push({ number, value: at });
    else if (!labels.has(number)) labels.set(number, at);
  }
  return values.flatMap(({ number, value }) => {
    const label = labels.get(number);
    return label === undefined ? [] : [{ label, value }];
  });
}

/** Removes the apostrophe with which an export keeps a spreadsheet from running a cell. */
function withoutFormulaGuard(text: string): string {
  return /^'[=+\-@]/u.test(text) ? text.slice(1) : text;
}
