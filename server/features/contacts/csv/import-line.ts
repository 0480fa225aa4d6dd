import { ContactName, ContactNote, ContactOrganization } from '../../../../shared/api/contacts.ts';
import { ENCODED_PAGES } from '../../../../shared/encoded-pages.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { requestedNumber } from '../../../platform/phone-number.ts';
import type { ContactFields } from '../types.ts';
import type { CsvContact } from './columns.ts';

/** A valid line, without the values its file has no column for; or a sentence with the reason it is invalid. */
export type LineReading =
  | { readonly fields: Partial<ContactFields> & Pick<ContactFields, 'name' | 'fax_number'> }
  | { readonly problem: string };

const YES = ['yes', 'y', 'true', '1', 'x', 'blocked'];
const NO = ['', 'no', 'n', 'false', '0'];
const { name: nameLength, note: noteLength } = LIMITS.contactLengths;

/** Reads one line; national numbers are of `country`. */
export function readLine(given: CsvContact, country: string): LineReading {
  const { fax_number: typed = '', name: typedName = '' } = given;
  if (typed === '') return { problem: 'There is no fax number.' };
  const fax_number = requestedNumber(typed, country);
  if (fax_number === null) return { problem: `"${shown(typed)}" is not a complete fax number.` };
  const name = ContactName.safeParse(oneLine(typedName));
  if (!name.success)
    return {
      problem:
        typedName === ''
          ? 'There is no name.'
          : `The name is longer than ${nameLength} characters or has invisible characters.`,
    };
  const organization = ContactOrganization.optional().safeParse(
    given.organization && oneLine(given.organization),
  );
  if (!organization.success)
    return {
      problem: `The organization is longer than ${nameLength} characters or has invisible characters.`,
    };
  const note = ContactNote.optional().safeParse(given.note?.replaceAll(/\r\n?/gu, '\n'));
  if (!note.success)
    return {
      problem: `The note is longer than ${noteLength} characters or has invisible characters.`,
    };
  const choices = choicesOf(given);
  if ('problem' in choices) return choices;
  const texts = {
    ...(given.organization !== undefined && { organization: organization.data || null }),
    ...(given.note !== undefined && { note: note.data || null }),
  };
  return { fields: { name: name.data, fax_number, ...texts, ...choices } };
}

function choicesOf({
  blocked,
  encoded_pages: pages,
  send_together_minutes: minutes,
}: CsvContact):
  | { readonly problem: string }
  | Partial<Pick<ContactFields, 'blocked' | 'encoded_pages' | 'send_together_minutes'>> {
  const word = blocked?.toLowerCase();
  if (word !== undefined && !YES.includes(word) && !NO.includes(word))
    return { problem: `"${shown(word)}" in the column "Blocked" is neither yes nor no.` };
  const count = minutes === undefined ? undefined : Number(minutes === '' ? '0' : minutes);
  if (count !== undefined && !(Number.isInteger(count) && count >= 0 && count <= LIMITS.togetherMinutes))
    return {
      problem: `"${shown(minutes ?? '')}" is not a number of minutes from 0 to ${LIMITS.togetherMinutes}.`,
    };
  const form = ENCODED_PAGES.find((each) => each === (pages === '' ? 'off' : pages?.toLowerCase()));
  if (pages !== undefined && form === undefined)
    return { problem: `"${shown(pages)}" in the column "Encoded pages" is not off, plain or encrypted.` };
  return {
    ...(form !== undefined && { encoded_pages: form }),
    ...(word !== undefined && { blocked: YES.includes(word) }),
    ...(count !== undefined && { send_together_minutes: count }),
  };
}

const oneLine = (text: string) => text.replaceAll(/\s+/gu, ' ').trim();
const shown = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
