import { LIMITS } from '../../../../shared/limits.ts';
import type { CsvLine } from '../../../platform/read-csv.ts';
import { fileRefused } from '../errors.ts';
import { type ContactTexts, splitList } from '../import/texts.ts';

type Text = Exclude<keyof ContactTexts, 'fax_numbers' | 'tags'>;
type Place = Text | 'fax' | 'others' | 'tags' | 'first' | 'middle' | 'last';

/** Column names of common address books, in lower case without signs; of several the first filled one counts. */
const NAMES: Readonly<Record<Place, readonly string[]>> = {
  name: ['name', 'full name', 'display name', 'file as', 'contact', 'contact name', 'anzeigename'],
  first: ['first name', 'given name', 'vorname'],
  middle: ['middle name', 'additional name', 'weitere vornamen'],
  last: ['last name', 'family name', 'surname', 'nachname'],
  organization: [
    'organization',
    'organisation',
    'organization name',
    'company',
    'company name',
    'practice',
    'firma',
  ],
  // Each filled one is a number of the contact, the first one its main one.
  fax: [
    'fax number',
    'fax',
    'business fax',
    'work fax',
    'fax phone',
    'fax work',
    'fax geschäftlich',
    'faxnummer',
    'primary fax',
    'other fax',
    'home fax',
    'fax home',
    'fax privat',
    'weiteres fax',
    'fax 1',
    'fax 2',
    'fax 3',
    'recipient fax number',
  ],
  others: ['other fax numbers', 'further fax numbers', 'fax numbers', 'other faxes'],
  voice_number: [
    'phone',
    'phone number',
    'telephone',
    'telephone number',
    'voice number',
    'business phone',
    'work phone',
    'company main phone',
    'primary phone',
    'telefon geschäftlich',
    'telefon',
    'business phone 2',
    'mobile phone',
    'mobile number',
    'mobile',
    'home phone',
  ],
  address: [
    'address',
    'postal address',
    'mailing address',
    'business address',
    'work address full',
    'address 1 formatted',
    'anschrift',
    'adresse',
  ],
  tags: ['tags', 'categories', 'category', 'keywords', 'labels', 'group membership', 'groups', 'kategorien'],
  mailbox: ['mailbox', 'owner mailbox', 'seen by'],
  opted_out: ['opted out', 'opted out since', 'opt out', 'no faxes', 'do not fax'],
  consent_note: ['consent', 'consent note'],
  time_zone: ['time zone', 'timezone'],
  allowed_hours: ['allowed hours', 'fax hours'],
  cover_id: ['cover', 'cover page', 'cover id'],
  accepts_references: ['accepts references'],
  send_together_minutes: ['send together minutes', 'send together'],
  preferred_route: ['preferred route', 'delivery route'],
  encoded_pages: ['encoded pages'],
  blocked: ['blocked'],
  note: ['note', 'notes', 'comment', 'comments', 'remarks', 'notizen'],
};

/** Column names of the parts of an address: lines of the street, city, state, postal code and country. */
const ADDRESSES: readonly (readonly (readonly string[])[])[] = [
  ...['business', 'work', 'home', 'other'].map((kind) => [
    [`${kind} street`, `${kind} address`],
    [`${kind} street 2`, `${kind} address 2`],
    [`${kind} street 3`],
    [`${kind} city`],
    [`${kind} state`],
    [`${kind} postal code`, `${kind} zipcode`, `${kind} zip code`, `${kind} zip`],
    [`${kind} country region`, `${kind} country`],
  ]),
  [
    ['address 1 street', 'street', 'street address'],
    ['address 1 extended address', 'street 2'],
    ['address 1 po box'],
    ['address 1 city', 'city'],
    ['address 1 region', 'state', 'region'],
    ['address 1 postal code', 'postal code', 'zip', 'zip code', 'zipcode'],
    ['address 1 country', 'country'],
  ],
];

const TEXTS = Object.keys(NAMES).filter(
  (place) => !['fax', 'others', 'tags', 'first', 'middle', 'last'].includes(place),
) as Text[];

/** Longer than any field of a contact, so that the line is reported as too long. */
const MAX_CELL = 2 * LIMITS.contactLengths.note;

/** Google names the kind of each number in a column beside it. */
const LABELED = /^phone (\d+) (value|label|type)$/u;

interface Columns {
  readonly places: Readonly<Record<Place, number[]>>;
  /** Columns of the parts of each address. */
  readonly addresses: readonly (readonly number[][])[];
  readonly labeled: readonly { readonly label: number; readonly value: number }[];
}

/** Reads lines by the columns that the first one names. Throws a 400 refusal when it names no number or no name. */
export function readerOf(head: CsvLine): (line: CsvLine) => ContactTexts {
  const names = head.cells.map((cell) =>
    cell
      .slice(0, MAX_CELL)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  const columns: Columns = {
    places: Object.fromEntries(
      Object.entries(NAMES).map(([place, known]) => [place, indexesOf(names, known)]),
    ) as unknown as Columns['places'],
    addresses: ADDRESSES.map((parts) => parts.map((known) => indexesOf(names, known))).filter((parts) =>
      parts.some((found) => found.length > 0),
    ),
    labeled: labeledNumbers(names),
  };
  const { places, labeled } = columns;
  if (places.fax.length + places.others.length + labeled.length === 0)
    throw fileRefused('The first line has no column "Fax number". Add one and import the file again.');
  if (places.name.length + places.first.length + places.last.length + places.organization.length === 0)
    throw fileRefused('The first line has no column "Name". Add one and import the file again.');
  return ({ cells }) => textsOf(cells, columns);
}

function textsOf(cells: readonly string[], { places, addresses, labeled }: Columns): ContactTexts {
  const cell = (at: number) => withoutFormulaGuard((cells[at] ?? '').slice(0, MAX_CELL)).trim();
  const first = (at: readonly number[]) => {
    for (const place of at) {
      const text = cell(place);
      if (text !== '') return text;
    }
    return '';
  };
  const all = (at: readonly number[]) => at.map(cell).filter((text) => text !== '');
  const texts = Object.fromEntries(TEXTS.map((name) => [name, first(places[name])])) as Record<Text, string>;
  const parts = [places.first, places.middle, places.last].map(first).filter((text) => text !== '');
  const kinds = labeled.map(({ label, value }) => ({ isFax: /\bfax\b/iu.test(cell(label)), value }));
  const numbers = (isFax: boolean) =>
    kinds.filter((one) => one.isFax === isFax).flatMap(({ value }) => cell(value).split(':::'));
  const faxes = [...all(places.fax), ...numbers(true)].flatMap((text) => text.split(/:::|[;\n]/u));
  return {
    ...texts,
    name: texts.name || parts.join(' '),
    fax_numbers: [...faxes, ...all(places.others).flatMap(splitList)].map((one) =>
      withoutFormulaGuard(one.trim()),
    ),
    voice_number: texts.voice_number || (numbers(false)[0]?.trim() ?? ''),
    address: texts.address || addressOf(addresses, first),
    tags: all(places.tags)
      .flatMap(splitList)
      // Google marks groups of its own.
      .filter((tag) => labeled.length === 0 || !tag.startsWith('* ')),
  };
}

/** Joins the parts of the first address that has any, in lines. */
function addressOf(addresses: Columns['addresses'], first: (at: readonly number[]) => string): string {
  for (const columns of addresses) {
    const [street, second, third, city, state, code, country] = columns.map(first);
    const place = [city, [state, code].filter(Boolean).join(' ')].filter(Boolean).join(', ');
    const lines = [street, second, third, place, country].filter(Boolean);
    // A country alone is filled in by the program.
    if (lines.length > (country ? 1 : 0)) return lines.join('\n');
  }
  return '';
}

function indexesOf(columns: readonly string[], names: readonly string[]): number[] {
  return names.flatMap((name) => columns.flatMap((column, at) => (column === name ? [at] : [])));
}

function labeledNumbers(columns: readonly string[]): { label: number; value: number }[] {
  const labels = new Map<string, number>();
  const values: { number: string; value: number }[] = [];
  for (const [at, column] of columns.entries()) {
    const [, number, place] = LABELED.exec(column) ?? [];
    if (number === undefined) continue;
    if (place === 'value') values.push({ number, value: at });
    else if (!labels.has(number)) labels.set(number, at);
  }
  return values.flatMap(({ number, value }) => {
    const label = labels.get(number);
    return label === undefined ? [] : [{ label, value }];
  });
}

/** Removes the apostrophe with which an export keeps a spreadsheet from running a cell. */
function withoutFormulaGuard(text: string): string {
  return /^'+[=+\-@]/u.test(text) ? text.slice(1) : text;
}
