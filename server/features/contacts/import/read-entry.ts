import { readHours } from '../../../../shared/allowed-hours.ts';
import { ContactName, ContactNote, ContactOrganization } from '../../../../shared/api/contacts.ts';
import {
  ConsentNote,
  ContactAddress,
  ContactTag,
  TimeZoneName,
} from '../../../../shared/api/contacts-fields.ts';
import { Id } from '../../../../shared/api/values.ts';
import { ENCODED_PAGES } from '../../../../shared/encoded-pages.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { requestedNumber } from '../../../platform/phone-number.ts';
import type { ContactFields } from '../types.ts';
import type { ContactTexts } from './texts.ts';

/** Fields of a contact in an entry; those that it does not name stay. */
export type EntryFields = Partial<Omit<ContactFields, 'name' | 'fax_number' | 'other_fax_numbers'>> & {
  readonly name: string;
  /** At least one, E.164; the first one is the main one. */
  readonly numbers: readonly string[];
  /** ISO 8601 UTC; left out where the file does not name it. */
  readonly opted_out_at?: string;
};

/** A valid entry, with remarks about what was left out of it; or a sentence with the reason it is invalid. */
type EntryReading =
  | { readonly fields: EntryFields; readonly remarks: readonly string[] }
  | { readonly problem: string };

/** Facts of the installation that entries name. */
export interface EntryContext {
  /** ISO 3166 alpha-2: whose national numbers are written. */
  readonly country: string;
  /** Finds the ID of a mailbox that the importing person sees, by label or ID; null for none. */
  readonly mailboxOf: (named: string) => string | null;
  /** Finds the ID of a delivery route, by name or ID; null for none. */
  readonly routeOf: (named: string) => string | null;
}

/** Thrown for an invalid entry, with the reason. */
class EntryError extends Error {}

const refuse = (sentence: string): never => {
  throw new EntryError(sentence);
};

const YES = ['yes', 'y', 'true', '1', 'x', 'blocked', 'ja'];
const NO = ['no', 'n', 'false', '0', 'nein'];
const { name: nameLength, note: noteLength, address, tag, consentNote } = LIMITS.contactLengths;
const MAX_NUMBERS = LIMITS.contactNumbers + 1;

/** Reads one entry of a file. An empty value says nothing. */
export function readEntry(texts: ContactTexts, context: EntryContext): EntryReading {
  const remarks: string[] = [];
  try {
    const numbers = faxNumbersOf(texts.fax_numbers ?? [], context.country);
    const fields = {
      name: nameOf(texts),
      numbers,
      ...textsOf(texts),
      ...voiceOf(texts.voice_number, context.country, remarks),
      ...(filled(texts.tags) && { tags: tagsOf(texts.tags) }),
      ...choicesOf(texts),
      ...timesOf(texts),
      ...namedOf(texts, context),
    };
    return { fields, remarks };
  } catch (error) {
    if (error instanceof EntryError) return { problem: error.message };
    throw error;
  }
}

function faxNumbersOf(typed: readonly string[], country: string): string[] {
  const given = typed.map(tidyNumber).filter((one) => one !== '');
  if (given.length === 0) refuse('There is no fax number.');
  const numbers = new Set(
    given.map((one) => {
      const number = requestedNumber(one, country);
      return number ?? refuse(badNumber(one));
    }),
  );
  if (numbers.size > MAX_NUMBERS) refuse(`It has more than ${MAX_NUMBERS} fax numbers.`);
  return [...numbers];
}

/** Removes the invisible signs and long hyphens with which programs write numbers. */
const tidyNumber = (typed: string) =>
  typed
    .replaceAll(/\p{Cf}+/gu, '')
    .replaceAll(/[\u2010-\u2013]/gu, '-')
    .trim();

/** A spreadsheet shows a long number as a power of ten and saves only that. */
const SHORTENED = /^\d[.,]?\d{0,15}E\+?\d\d$/iu;

const badNumber = (typed: string) =>
  SHORTENED.test(typed)
    ? `"${shown(typed)}" was shortened by a spreadsheet. Format the column as text and save the file again.`
    : `"${shown(typed)}" is not a complete fax number.`;

function nameOf({ name = '', organization = '' }: ContactTexts): string {
  const typed = name || organization;
  if (typed === '') refuse('There is no name.');
  const read = ContactName.safeParse(oneLine(typed));
  return read.success ? read.data : refuse(tooLong('name', nameLength));
}

/** Text fields and the sentence for one that is too long. */
const TEXTS = {
  organization: [ContactOrganization, tooLong('organization', nameLength)],
  note: [ContactNote, tooLong('note', noteLength)],
  address: [ContactAddress, tooLong('address', address)],
  consent_note: [ConsentNote, tooLong('consent', consentNote)],
  cover_id: [Id.nullable(), 'The cover page is not an ID of a cover page.'],
} as const;

function textsOf(given: ContactTexts): Partial<EntryFields> {
  return Object.fromEntries(
    (Object.keys(TEXTS) as (keyof typeof TEXTS)[]).flatMap((name) => {
      const text = given[name];
      if (!filled(text)) return [];
      const [schema, sentence] = TEXTS[name];
      const isLine = name === 'organization' || name === 'cover_id';
      const read = schema.safeParse(isLine ? oneLine(text) : lines(text));
      return [[name, read.success ? read.data : refuse(sentence)]];
    }),
  );
}

/** A telephone number that is none does not keep the fax number out. */
function voiceOf(typed: string | undefined, country: string, remarks: string[]): { voice_number?: string } {
  if (!filled(typed)) return {};
  const number = requestedNumber(tidyNumber(typed), country);
  if (number !== null) return { voice_number: number };
  remarks.push(`The phone number "${shown(typed)}" is not complete and was left out.`);
  return {};
}

function tagsOf(given: readonly string[]): string[] {
  const tags = new Set(
    given.map((one) => {
      const read = ContactTag.safeParse(oneLine(one));
      return read.success
        ? read.data
        : refuse(`The tag "${shown(one)}" is longer than ${tag} characters or has invisible characters.`);
    }),
  );
  if (tags.size > LIMITS.contactTags) refuse(`It has more than ${LIMITS.contactTags} tags.`);
  return [...tags];
}

function choicesOf(given: ContactTexts): Partial<EntryFields> {
  const { send_together_minutes: minutes, encoded_pages: pages, opted_out: optedOut } = given;
  const count = Number(minutes);
  if (filled(minutes) && !(Number.isInteger(count) && count >= 0 && count <= LIMITS.togetherMinutes))
    refuse(`"${shown(minutes)}" is not a number of minutes from 0 to ${LIMITS.togetherMinutes}.`);
  const form = ENCODED_PAGES.find((each) => each === pages?.toLowerCase());
  if (filled(pages) && form === undefined)
    refuse(`"${shown(pages)}" in the column "Encoded pages" is not off, plain or encrypted.`);
  const since = filled(optedOut) ? timeOf(optedOut) : null;
  return {
    ...(filled(minutes) && { send_together_minutes: count }),
    ...(form !== undefined && { encoded_pages: form }),
    ...flag('blocked', 'Blocked', given.blocked),
    ...flag('accepts_references', 'Accepts references', given.accepts_references),
    ...(since === null ? flag('opted_out', 'Opted out', optedOut) : { opted_out: true, opted_out_at: since }),
  };
}

function flag(name: keyof EntryFields, column: string, typed: string | undefined): Partial<EntryFields> {
  if (!filled(typed)) return {};
  const word = typed.toLowerCase();
  if (YES.includes(word)) return { [name]: true };
  if (NO.includes(word)) return { [name]: false };
  return refuse(`"${shown(word)}" in the column "${column}" is neither yes nor no.`);
}

/** Returns a time as this gateway writes it (ISO 8601 UTC), or the begin of a day; null for another text. */
function timeOf(typed: string): string | null {
  if (!/^\d{4}-\d\d-\d\d(?:T[\d:.]{5,12}Z)?$/u.test(typed)) return null;
  const time = new Date(typed);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function timesOf({ time_zone: zone, allowed_hours: hours }: ContactTexts): Partial<EntryFields> {
  const read = TimeZoneName.safeParse(zone);
  if (filled(zone) && !read.success)
    refuse(`"${shown(zone)}" is not the name of a time zone, such as Europe/Berlin.`);
  const spans = filled(hours) ? readHours(hours) : null;
  if (filled(hours) && spans === null)
    refuse(`"${shown(hours)}" is not a list of hours, such as Mon-Fri 08:00-18:00.`);
  return {
    ...(filled(zone) && { time_zone: read.data ?? null }),
    ...(spans !== null && { allowed_hours: spans }),
  };
}

function namedOf(given: ContactTexts, { mailboxOf, routeOf }: EntryContext): Partial<EntryFields> {
  const { mailbox, preferred_route: route } = given;
  return {
    ...(filled(mailbox) && {
      owner_mailbox_id: mailboxOf(mailbox) ?? refuse(`You see no mailbox "${shown(mailbox)}".`),
    }),
    ...(filled(route) && {
      preferred_route: routeOf(route) ?? refuse(`There is no delivery route "${shown(route)}".`),
    }),
  };
}

function filled<T extends { readonly length: number }>(given: T | undefined): given is T {
  return given !== undefined && given.length > 0;
}

function tooLong(name: string, max: number): string {
  return `The ${name} is longer than ${max} characters or has invisible characters.`;
}

const oneLine = (text: string) => text.replaceAll(/[\r\n\t]+/gu, ' ').trim();
const lines = (text: string) => text.replaceAll(/\r\n?/gu, '\n').replaceAll('\t', ' ');
const shown = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
