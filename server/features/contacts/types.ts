import type { ContactTable, LineMemoryTable } from '../../db/schema/contacts.ts';

export type ContactRow = ContactTable;
export type LineMemoryRow = LineMemoryTable;

/** Fields of a contact that people enter. */
export type ContactFields = Pick<
  ContactTable,
  | 'name'
  | 'organization'
  | 'fax_number'
  | 'send_together_minutes'
  | 'preferred_route'
  | 'encoded_pages'
  | 'note'
> & { readonly blocked: boolean };

/** Reference to a contact, with its name. */
export type ContactName = Pick<ContactTable, 'id' | 'name'>;

/** Shared key as it was typed; null for none, or to remove it. */
export interface TypedKey {
  readonly shared_key?: string | null | undefined;
}

/** Some fields of a contact, the number as it was typed; those left out stay. */
export type ContactPatch = { readonly [N in keyof ContactFields]?: ContactFields[N] | undefined } & TypedKey;
