import type { z } from 'zod';
import type { AllowedHours as AllowedHoursShape } from '../../../shared/api/contacts-fields.ts';
import type { ContactTable, LineMemoryTable } from '../../db/schema/contacts.ts';

export type ContactRow = ContactTable;
export type LineMemoryRow = LineMemoryTable;

export type AllowedHours = z.infer<typeof AllowedHoursShape>;

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
  | 'voice_number'
  | 'address'
  | 'owner_mailbox_id'
  | 'consent_note'
  | 'time_zone'
  | 'cover_id'
> & {
  readonly blocked: boolean;
  /** E.164, without the first number. */
  readonly other_fax_numbers: readonly string[];
  readonly tags: readonly string[];
  /** Null for any time. */
  readonly allowed_hours: readonly AllowedHours[] | null;
  readonly opted_out: boolean;
  readonly accepts_references: boolean;
};

/** Mailboxes whose contacts a list has, beside those of everybody; null for all. */
export type ContactScope = readonly string[] | null;

/** Reference to a contact, with its name. */
export type ContactName = Pick<ContactTable, 'id' | 'name'>;

/** Shared key as it was typed; null for none, or to remove it. */
interface TypedKey {
  readonly shared_key?: string | null | undefined;
}

/** Some fields of a contact, the numbers as they were typed; those left out stay. */
export type ContactPatch = { readonly [N in keyof ContactFields]?: ContactFields[N] | undefined } & TypedKey;

/** Fields of a contact that does not exist yet; those left out get their defaults. */
export type NewContact = ContactPatch & Pick<ContactFields, 'name' | 'fax_number'>;
