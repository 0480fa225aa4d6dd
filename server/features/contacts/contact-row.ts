import { foldName, searchTextOf } from '../../platform/search-text.ts';
import type { KeyColumns } from './shared-key.ts';
import type { AllowedHours, ContactFields, ContactRow } from './types.ts';

/** Fields of a new contact that has only a name and a number. */
export const NEW_CONTACT: Omit<ContactFields, 'name' | 'fax_number'> = {
  organization: null,
  other_fax_numbers: [],
  voice_number: null,
  address: null,
  tags: [],
  owner_mailbox_id: null,
  send_together_minutes: 0,
  preferred_route: null,
  encoded_pages: 'off',
  note: null,
  blocked: false,
  opted_out: false,
  consent_note: null,
  time_zone: null,
  allowed_hours: null,
  cover_id: null,
  accepts_references: false,
};

/**
 * Returns a row of these fields at a time (ISO 8601 UTC), without its shared key and what the store counts. `optedOutAt`
 * is when it opted out before; null when it had not.
 */
export function rowOf(
  typed: ContactFields,
  at: string,
  optedOutAt: string | null,
): Omit<ContactRow, 'id' | 'version' | 'created_at' | 'updated_at' | keyof KeyColumns> {
  const { opted_out, ...fields } = tidyLists(typed);
  const { name, organization, fax_number, note, other_fax_numbers, voice_number, tags, allowed_hours } =
    fields;
  const plain = [name, organization, ...tags].map((text) => (text === null ? null : foldName(text)));
  const numbers = [fax_number, ...other_fax_numbers, voice_number];
  const words = [...new Set([...numbers, name, organization, ...tags, ...plain, note])];
  return {
    ...fields,
    other_fax_numbers: JSON.stringify(other_fax_numbers),
    tags: JSON.stringify(tags),
    allowed_hours: allowed_hours === null ? null : JSON.stringify(allowed_hours),
    blocked: fields.blocked ? 1 : 0,
    opted_out_at: opted_out ? (optedOutAt ?? at) : null,
    accepts_references: fields.accepts_references ? 1 : 0,
    sort_name: foldName(name),
    search_text: searchTextOf(words),
  };
}

export function fieldsOf(row: ContactRow): ContactFields {
  const { name, organization, fax_number, send_together_minutes, preferred_route, note } = row;
  const { voice_number, address, owner_mailbox_id, consent_note, time_zone, cover_id } = row;
  const choices = { send_together_minutes, preferred_route, encoded_pages: row.encoded_pages };
  return {
    name,
    organization,
    fax_number,
    ...choices,
    note,
    voice_number,
    address,
    owner_mailbox_id,
    consent_note,
    time_zone,
    cover_id,
    ...listsOf(row),
    blocked: row.blocked === 1,
    opted_out: row.opted_out_at !== null,
    accepts_references: row.accepts_references === 1,
  };
}

interface Lists {
  other_fax_numbers: string[];
  tags: string[];
  allowed_hours: { days: number[]; from: string; to: string }[] | null;
}

/** Parses the lists of a row. */
export function listsOf(row: Pick<ContactRow, keyof Lists>): Lists {
  return {
    other_fax_numbers: JSON.parse(row.other_fax_numbers) as string[],
    tags: JSON.parse(row.tags) as string[],
    allowed_hours:
      row.allowed_hours === null ? null : (JSON.parse(row.allowed_hours) as Lists['allowed_hours']),
  };
}

/** Returns every fax number of a contact, the first one first; E.164. */
export function numbersOf(row: Pick<ContactRow, 'fax_number' | 'other_fax_numbers'>): string[] {
  return [row.fax_number, ...(JSON.parse(row.other_fax_numbers) as string[])];
}

/** The names of the fields that differ; never what is in them, which is about people. */
export function changedNames(before: ContactFields, after: ContactFields): (keyof ContactFields)[] {
  const [old, now] = [tidyLists(before), tidyLists(after)];
  return (Object.keys(after) as (keyof ContactFields)[]).filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
}

/** Leaves out what stands twice: the first number among the others, a tag with other capitals. */
function tidyLists(fields: ContactFields): ContactFields {
  const { fax_number, other_fax_numbers, tags, allowed_hours } = fields;
  const others = new Set(other_fax_numbers);
  others.delete(fax_number);
  const byTag = new Map<string, string>();
  for (const tag of tags) if (!byTag.has(foldName(tag))) byTag.set(foldName(tag), tag);
  return {
    ...fields,
    other_fax_numbers: [...others],
    tags: [...byTag.values()],
    allowed_hours: allowed_hours === null || allowed_hours.length === 0 ? null : allowed_hours.map(tidyHours),
  };
}

function tidyHours({ days, ...span }: AllowedHours): AllowedHours {
  return { ...span, days: [...new Set(days)].toSorted((a, b) => a - b) };
}
