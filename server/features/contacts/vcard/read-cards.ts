import { fileRefused } from '../errors.ts';
import type { ContactTexts, FileEntry, FileProblem } from '../import/texts.ts';
import { type Property, readProperties } from './lines.ts';
import { OWN_NAMES, type OwnText } from './own-properties.ts';

const MAX_CARDS = 20_000;
/** Properties of one card that are read. */
const MAX_PROPERTIES = 500;

interface Card {
  readonly line: number;
  readonly properties: Property[];
  /** Cards in it, as of an assistant in version 2.1. */
  depth: number;
}

/** Reads vCards. Others are served meanwhile. Throws a 400 refusal for more cards than any address book has. */
export async function readCards(bytes: Uint8Array): Promise<(FileEntry | FileProblem)[]> {
  const entries: (FileEntry | FileProblem)[] = [];
  let card: Card | null = null;
  let before = '';
  const broken = ({ line }: Card) => entries.push({ line, problem: 'The card has no end.' });
  for await (const property of readProperties(bytes)) {
    const { name, line } = property;
    const isMark = property.value.trim().toUpperCase() === 'VCARD';
    if (name === 'BEGIN' && isMark) {
      if (card && before === 'AGENT') card.depth += 1;
      else {
        if (card) broken(card);
        card = { line, properties: [], depth: 0 };
        if (entries.length >= MAX_CARDS)
          throw fileRefused(`The file has more than ${MAX_CARDS} contacts. Split it and import the parts.`);
      }
    } else if (name === 'END' && isMark && card) {
      if (card.depth > 0) card.depth -= 1;
      else {
        entries.push(entryOf(card));
        card = null;
      }
    } else if (card?.depth === 0 && card.properties.length < MAX_PROPERTIES) card.properties.push(property);
    before = name;
  }
  if (card) broken(card);
  if (entries.length === 0) throw fileRefused('The file has no contacts.');
  return entries;
}

/** Groups of contacts, as Apple and Nextcloud export them. */
const KINDS = ['KIND', 'X-ADDRESSBOOKSERVER-KIND'];

function entryOf({ line, properties }: Card): FileEntry | FileProblem {
  const isGroup = properties.some(
    ({ name, value }) => KINDS.includes(name) && value.trim().toLowerCase() === 'group',
  );
  return isGroup
    ? { line, problem: 'It is a list of contacts, not a contact.' }
    : { line, texts: textsOf(properties) };
}

function textsOf(properties: readonly Property[]): ContactTexts {
  const isOld = properties.some(({ name, value }) => name === 'VERSION' && value.trim() === '2.1');
  const named = (name: string) => properties.filter((one) => one.name === name);
  const parts = (property: Property | undefined, sign: string) =>
    property ? splitValue(property.value, sign, isOld) : [];
  const text = (property: Property | undefined) => parts(property, '').join('');
  const first = (name: string) => text(named(name).find(({ value }) => value.trim() !== '')).trim();
  const [family = '', given = '', middle = ''] = parts(named('N')[0], ';');
  const own = Object.fromEntries(
    Object.entries(OWN_NAMES).flatMap(([field, name]) => {
      const value = first(name);
      return value === '' ? [] : [[field, value]];
    }),
  ) as Partial<Record<OwnText, string>>;
  const { faxes, voice } = numbersOf(properties, text);
  const categories = named('CATEGORIES').flatMap((one) => parts(one, isOld ? ',;' : ','));
  const isOwn = Object.keys(own).length > 0;
  return {
    name: first('FN') || [given, middle, family].filter(Boolean).join(' ') || first('NICKNAME'),
    organization: parts(named('ORG')[0], ';')
      .map((one) => one.trim())
      .filter(Boolean)
      .join(', '),
    fax_numbers: faxes,
    voice_number: voice,
    address: addressOf(preferred(named('ADR'))[0], parts),
    // Google puts every contact in a group of its own.
    tags: categories.map((one) => one.trim()).filter((tag) => tag !== '' && (isOwn || tag !== 'myContacts')),
    note: named('NOTE').map(text).join('\n').trim(),
    time_zone: /^[A-Za-z]+\/[\w+/-]+$/u.test(first('TZ')) ? first('TZ') : '',
    ...own,
  };
}

const WORK_FIRST = ['work', 'main', 'cell', 'iphone', 'home'];

/** Sorts by preference, then work before home; others stay in their order. */
function preferred(properties: readonly Property[]): Property[] {
  const rank = ({ types, parameters }: Property) => {
    const place = WORK_FIRST.findIndex((type) => types.includes(type));
    const isFirst = types.includes('pref') || parameters.get('PREF') === '1';
    return (isFirst ? 0 : 10) + (place === -1 ? WORK_FIRST.length : place);
  };
  return properties.toSorted((a, b) => rank(a) - rank(b));
}

function numbersOf(properties: readonly Property[], text: (property: Property) => string) {
  const labels = new Map(
    properties.flatMap((one) =>
      one.name === 'X-ABLABEL' && one.group !== '' ? [[one.group, one.value]] : [],
    ),
  );
  const numbers = preferred(properties.filter(({ name }) => name === 'TEL')).map((one) => ({
    number: numberOf(text(one)),
    isFax: one.types.some((type) => type.includes('fax')) || /fax/iu.test(labels.get(one.group) ?? ''),
    isVoice: !one.types.some((type) => ['pager', 'modem', 'bbs', 'isdn', 'textphone'].includes(type)),
  }));
  return {
    faxes: numbers.flatMap(({ number, isFax }) => (isFax && number !== '' ? [number] : [])),
    voice: numbers.find(({ number, isFax, isVoice }) => !isFax && isVoice && number !== '')?.number ?? '',
  };
}

/** Takes the number out of a `tel:` address; an extension stays behind it. */
function numberOf(value: string): string {
  const [number = '', ...parameters] = value.trim().replace(/^tel:/iu, '').split(';');
  const extension = parameters.find((one) => /^ext=/iu.test(one))?.slice(4);
  return extension ? `${number} x${extension}` : number.trim();
}

function addressOf(
  property: Property | undefined,
  parts: (property: Property | undefined, sign: string) => string[],
): string {
  const [box = '', more = '', street = '', city = '', region = '', code = '', country = ''] = parts(
    property,
    ';',
  ).map((one) => one.trim());
  const place = [city, [region, code].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return [street, more, box, place, country].filter(Boolean).join('\n');
}

/** Splits a value at the signs and resolves its escapes. Version 2.1 escapes no line ends. */
function splitValue(value: string, signs: string, isOld: boolean): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  for (let at = 0; at < value.length; at += 1) {
    const sign = value[at] as string;
    const next = value[at + 1];
    if (sign === '\\' && next !== undefined && `\\,;:${isOld ? '' : 'nN'}`.includes(next)) {
      part.push(next === 'n' || next === 'N' ? '\n' : next);
      at += 1;
    } else if (signs.includes(sign) && signs !== '') {
      parts.push(part.join(''));
      part = [];
    } else part.push(sign);
  }
  return [...parts, part.join('')];
}
