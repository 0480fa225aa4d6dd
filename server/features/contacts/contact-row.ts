import { searchTextOf } from '../../platform/search-text.ts';
import type { KeyColumns } from './shared-key.ts';
import type { ContactFields, ContactRow } from './types.ts';

/** A row of these fields, without its shared key and what the store counts. */
export function rowOf(
  fields: ContactFields,
): Omit<ContactRow, 'id' | 'version' | 'created_at' | 'updated_at' | keyof KeyColumns> {
  const { name, organization, fax_number, note } = fields;
  const plain = [name, organization].map((text) => (text === null ? null : withoutAccents(text)));
  const words = [...new Set([fax_number, name, organization, ...plain, note])];
  return {
    ...fields,
    blocked: fields.blocked ? 1 : 0,
    sort_name: withoutAccents(name),
    search_text: searchTextOf(words),
  };
}

export function fieldsOf(row: ContactRow): ContactFields {
  const { name, organization, fax_number, send_together_minutes, preferred_route, note } = row;
  const choices = { send_together_minutes, preferred_route, encoded_pages: row.encoded_pages };
  return { name, organization, fax_number, ...choices, note, blocked: row.blocked === 1 };
}

/** The names of the fields that differ; never what is in them, which is about people. */
export function changedNames(before: ContactFields, after: ContactFields): (keyof ContactFields)[] {
  return (Object.keys(after) as (keyof ContactFields)[]).filter((name) => before[name] !== after[name]);
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
