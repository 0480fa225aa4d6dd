import { z } from 'zod';
import { ENCODED_PAGES } from '../encoded-pages.ts';
import { LIMITS } from '../limits.ts';
import { VISIBLE_LINE, VISIBLE_RULE, VISIBLE_TEXT } from '../visible-text.ts';
import { DirectoryMatches, DirectoryQuery } from './contacts-directory.ts';
import { AllowedHours, ConsentNote, ContactAddress, ContactTag, TimeZoneName } from './contacts-fields.ts';
import { ContactImport, ExportQuery } from './contacts-import.ts';
import { optOutRoutes } from './contacts-opt-outs.ts';
import {
  CompletionQuery,
  ContactHistory,
  ContactSuggestions,
  ContactTags,
  MergeIn,
} from './contacts-shapes.ts';
import { defineRoute } from './route.ts';
import { DeliveryRouteRef } from './routing-routes.ts';
import {
  Cursor,
  FormFlag,
  Id,
  IdList,
  IdParams,
  ListLimit,
  OptionalTime,
  pageOf,
  Time,
  Version,
  VersionIn,
} from './values.ts';

const room = 'contacts';
const badBody = 'sentence';
const { name: nameLength, note: noteLength } = LIMITS.contactLengths;

const lineOf = (max: number) => z.string().trim().max(max).regex(VISIBLE_LINE, VISIBLE_RULE);
const orNull = (text: string | null) => (text === '' ? null : text);

export const ContactName = lineOf(nameLength).min(1);
export const ContactOrganization = lineOf(nameLength).nullable().transform(orNull);
export const ContactNote = z
  .string()
  .trim()
  .max(noteLength)
  .regex(VISIBLE_TEXT, VISIBLE_RULE)
  .nullable()
  .transform(orNull);
const TypedNumber = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .describe('with +, or a national number of the default country');
const TogetherMinutes = z.int().min(0).max(LIMITS.togetherMinutes);

const EncodedPages = z.enum(ENCODED_PAGES);
const SharedKey = z
  .string()
  .trim()
  .min(LIMITS.sharedKeyLengths.min)
  .max(LIMITS.sharedKeyLengths.max)
  .regex(VISIBLE_LINE, VISIBLE_RULE)
  .nullable();

const LineMemory = z
  .strictObject({
    without_t38: z.boolean().describe('calls use audio, without T.38'),
    without_ecm: z.boolean().describe('calls do not use error correction (ECM)'),
    most_rate_bps: z.int().nullable().describe('maximum speed of calls; null for the speed of the line'),
    learned_at: Time,
    expires_at: Time.describe('calls use the best settings again from this time on'),
  })
  .meta({ id: 'LineMemory' });

export const Contact = z
  .strictObject({
    id: Id,
    name: z.string(),
    organization: z.string().nullable(),
    fax_number: z.string().describe('E.164; unique among contacts'),
    other_fax_numbers: z.array(z.string()).describe('further fax numbers, E.164; unique among contacts'),
    voice_number: z.string().nullable().describe('telephone number, E.164, to which no fax is sent'),
    address: z.string().nullable().describe('postal address, in lines'),
    tags: z.array(z.string()).describe('words by which contacts are found and listed together'),
    owner_mailbox_id: Id.nullable().describe(
      'id of the mailbox whose people see the contact; null for everyone who sees contacts',
    ),
    owner_mailbox: z.string().nullable().describe('label of that mailbox'),
    send_together_minutes: TogetherMinutes.describe(
      'time that a fax to the number may wait for others, to be sent with them in one call; 0 for never',
    ),
    preferred_route: DeliveryRouteRef.nullable().describe(
      'route that faxes to the number use first; null for none',
    ),
    encoded_pages: EncodedPages.describe(
      'form of the pages that are sent to the number: `off` for ordinary pages; `plain` or `encrypted` for pages that carry the document itself, which only Faxdesk or a compatible decoder reads',
    ),
    shared_key_fingerprint: z
      .string()
      .nullable()
      .describe('eight hex digits of a digest of the shared key, the same at both sides; null without a key'),
    note: z.string().nullable(),
    blocked: z.boolean().describe('true if no fax is accepted for the number'),
    last_success_at: OptionalTime.describe(
      'time of the last delivered fax to the number that the caller can see',
    ),
    recent_failures: z
      .int()
      .min(0)
      .describe(
        'number of failed faxes in the last 30 days since the last delivered one, among those the caller can see',
      ),
    opted_out: z.boolean().describe('true if the contact asked for no faxes'),
    opted_out_at: OptionalTime.describe('time since when it is so; null if it is not'),
    opted_out_numbers: z.array(z.string()).describe('its fax numbers that are on the opt-out list'),
    consent_note: z.string().nullable().describe('how and when the contact agreed to faxes, or opted out'),
    time_zone: z.string().nullable().describe('IANA name; null for the time zone of the installation'),
    allowed_hours: z
      .array(AllowedHours)
      .nullable()
      .describe('hours in which the contact may be faxed, in its time zone; null for any time'),
    cover_id: Id.nullable().describe('id of the cover page of faxes to it; null for the usual one'),
    accepts_references: z
      .boolean()
      .describe('true if a case packet may name what was delivered earlier, instead of sending it again'),
    line_memory: LineMemory.nullable().describe(
      'settings learned from earlier calls to the number over the phone line; null while calls use the best settings, and if the caller cannot see any fax to it',
    ),
    version: Version,
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Contact' });

const fields = {
  name: ContactName,
  organization: ContactOrganization.optional(),
  fax_number: TypedNumber,
  send_together_minutes: TogetherMinutes.optional(),
  preferred_route: Id.nullable().optional().describe('id of the preferred route; null for none'),
  encoded_pages: EncodedPages.optional().describe(
    'form of the pages that are sent to the number; `off` for a new contact if left out',
  ),
  shared_key: SharedKey.optional().describe(
    'key of encrypted pages, agreed with the recipient; null removes it. No answer contains it',
  ),
  note: ContactNote.optional(),
  blocked: z.boolean().optional(),
  other_fax_numbers: z
    .array(TypedNumber)
    .max(LIMITS.contactNumbers)
    .optional()
    .describe('further fax numbers, each of one contact only; replaces the list'),
  voice_number: TypedNumber.nullable().optional().describe('telephone number as typed; null removes it'),
  address: ContactAddress.optional(),
  tags: z.array(ContactTag).max(LIMITS.contactTags).optional().describe('replaces the list'),
  owner_mailbox_id: Id.nullable()
    .optional()
    .describe('id of a mailbox that the caller sees; null for everyone who sees contacts'),
  opted_out: z.boolean().optional().describe('true if the contact asked for no faxes'),
  consent_note: ConsentNote.optional(),
  time_zone: TimeZoneName.optional(),
  allowed_hours: z
    .array(AllowedHours)
    .max(LIMITS.contactHours)
    .nullable()
    .optional()
    .describe('hours in which the contact may be faxed; null for any time'),
  cover_id: Id.nullable().optional().describe('id of a cover page; null for the usual one'),
  accepts_references: z.boolean().optional(),
};

const IMPORT_EXISTING = ['keep', 'update'] as const;

export const contactsRoutes = {
  ...optOutRoutes,
  listContacts: defineRoute({
    id: 'listContacts',
    room,
    method: 'GET',
    path: '/contacts',
    summary: 'List contacts, by name',
    access: 'contacts:read',
    query: z.strictObject({
      ids: IdList.optional(),
      q: z
        .string()
        .max(LIMITS.searchLength)
        .optional()
        .describe('words from name, organization, tags and note, or part of a number'),
      fax_number: TypedNumber.optional().describe('only the contact with this fax number'),
      blocked: FormFlag.optional(),
      opted_out: FormFlag.optional().describe(
        'only contacts that asked for no faxes or have a number on the opt-out list, or only others',
      ),
      tag: z.string().max(100).optional().describe('only contacts with this tag, in capitals or not'),
      has_key: FormFlag.optional().describe('only contacts with a shared key, or only others'),
      limit: ListLimit,
      cursor: Cursor.optional(),
    }),
    answer: { status: 200, schema: pageOf(Contact).meta({ id: 'ContactPage' }) },
    refusals: ['invalid_fax_number'],
  }),
  completeContacts: defineRoute({
    id: 'completeContacts',
    room,
    method: 'GET',
    path: '/contacts/complete',
    summary: 'List the contacts that a typed text may mean, the recently used ones first',
    description: 'Finds parts of names, organizations, tags and numbers, at each key press.',
    access: 'contacts:read',
    query: CompletionQuery,
    answer: { status: 200, schema: ContactSuggestions },
  }),
  listDirectoryEntries: defineRoute({
    id: 'listDirectoryEntries',
    room,
    method: 'GET',
    path: '/contacts/directory',
    summary: 'Search the office directory for fax numbers',
    description:
      'The LDAP server or Active Directory of the settings, within 5 seconds. Nothing in it is changed, and nothing of it is stored.',
    access: 'contacts:read',
    query: DirectoryQuery,
    answer: { status: 200, schema: DirectoryMatches },
    refusals: ['directory_unavailable'],
  }),
  listContactTags: defineRoute({
    id: 'listContactTags',
    room,
    method: 'GET',
    path: '/contacts/tags',
    summary: 'List the tags of contacts, by name, at most 200',
    access: 'contacts:read',
    answer: { status: 200, schema: ContactTags },
  }),
  exportContacts: defineRoute({
    id: 'exportContacts',
    room,
    method: 'GET',
    path: '/contacts/export',
    summary: 'Download all contacts as CSV or vCards, by name',
    description:
      'UTF-8, as CSV with a byte order mark. Cells that a spreadsheet would treat as a formula begin with an apostrophe. vCards have the content type `text/vcard`.',
    access: 'contacts:read',
    query: ExportQuery,
    audited: { operation: 'contact.export', target: 'contact' },
    answer: { status: 200, contentType: 'text/csv' },
  }),
  importContacts: defineRoute({
    id: 'importContacts',
    room,
    method: 'POST',
    path: '/contacts/import',
    summary: 'Import contacts from a CSV or vCard file',
    description: [
      'vCards of version 2.1, 3 and 4 are read, or a CSV file. Its first line names the columns, as this gateway, Outlook, Google and Thunderbird export them: name (or first and last',
      'name), organization or company, fax number and the other fields of a contact. Separated by commas, semicolons or tabs;',
      'UTF-8, UTF-16 or Windows-1252. Entries that share a fax number are merged. An import takes away no number, no tag and no',
      'opt-out, and an empty value changes nothing. Entries that cannot be imported are skipped and reported.',
    ].join(' '),
    access: 'contacts:manage',
    audited: { operation: 'contact.import', target: 'contact' },
    form: {
      fields: z.strictObject({
        existing: z
          .enum(IMPORT_EXISTING)
          .default('keep')
          .describe('handling of contacts that already have the number'),
        check_only: FormFlag.default(false).describe('true reports the result and changes nothing'),
      }),
      files: {
        file: {
          description: 'CSV file, at most 5 MB, or vCards, at most 20 MB',
          required: true,
          repeated: false,
        },
      },
    },
    answer: { status: 200, schema: ContactImport },
    refusals: ['contact_file_refused'],
  }),
  getContact: defineRoute({
    id: 'getContact',
    room,
    method: 'GET',
    path: '/contacts/:id',
    summary: 'Get a contact',
    access: 'contacts:read',
    params: IdParams,
    answer: { status: 200, schema: Contact },
    refusals: ['no_such_contact'],
  }),
  getContactHistory: defineRoute({
    id: 'getContactHistory',
    room,
    method: 'GET',
    path: '/contacts/:id/history',
    summary: 'Get what was sent to a contact and received from it',
    description: 'Covers all fax numbers of the contact, and only the faxes that the caller can see.',
    access: 'contacts:read',
    params: IdParams,
    answer: { status: 200, schema: ContactHistory },
    refusals: ['no_such_contact'],
  }),
  mergeContacts: defineRoute({
    id: 'mergeContacts',
    room,
    method: 'POST',
    path: '/contacts/:id/merge',
    summary: 'Merge another contact into a contact',
    description: [
      'The contact gets the fax numbers and tags of the other one, and what it lacks itself. It is blocked or opted out if',
      'one of both is. Other differing values of the other contact are added to the note. The other contact is removed.',
    ].join(' '),
    access: 'contacts:manage',
    audited: { operation: 'contact.merge', target: 'contact', param: 'id' },
    badBody,
    params: IdParams,
    body: MergeIn,
    answer: { status: 200, schema: Contact },
    refusals: ['no_such_contact', 'contacts_not_mergeable', 'stale'],
  }),
  createContact: defineRoute({
    id: 'createContact',
    room,
    method: 'POST',
    path: '/contacts',
    summary: 'Create a contact',
    access: 'contacts:manage',
    audited: { operation: 'contact.create', target: 'contact' },
    badBody,
    body: z.strictObject(fields),
    answer: { status: 201, schema: Contact },
    refusals: [
      'invalid_fax_number',
      'invalid_voice_number',
      'contact_number_taken',
      'unknown_delivery_route',
      'unknown_contact_mailbox',
    ],
  }),
  changeContact: defineRoute({
    id: 'changeContact',
    room,
    method: 'PATCH',
    path: '/contacts/:id',
    summary: 'Change a contact; fields that are left out stay the same',
    access: 'contacts:manage',
    audited: { operation: 'contact.change', target: 'contact', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({
      ...fields,
      name: fields.name.optional(),
      fax_number: fields.fax_number.optional(),
      version: Version,
    }),
    answer: { status: 200, schema: Contact },
    refusals: [
      'invalid_fax_number',
      'invalid_voice_number',
      'no_such_contact',
      'contact_number_taken',
      'unknown_delivery_route',
      'unknown_contact_mailbox',
      'stale',
    ],
  }),
  removeContact: defineRoute({
    id: 'removeContact',
    room,
    method: 'POST',
    path: '/contacts/:id/remove',
    summary: 'Permanently remove a contact',
    description:
      'Faxes from and to its number stay. All data of the contact is removed; its numbers are kept on the opt-out list if it opted out.',
    access: 'contacts:manage',
    audited: { operation: 'contact.remove', target: 'contact', param: 'id' },
    badBody,
    params: IdParams,
    body: VersionIn,
    answer: { status: 200, schema: Contact },
    refusals: ['no_such_contact', 'stale'],
  }),
  forgetLineMemory: defineRoute({
    id: 'forgetLineMemory',
    room,
    method: 'POST',
    path: '/contacts/:id/forget-line-memory',
    summary: 'Reset the call settings of a contact',
    description:
      'The next call to the contact over the phone line uses the best settings. Returns the changed contact.',
    access: 'contacts:manage',
    audited: { operation: 'contact.forget_line', target: 'contact', param: 'id' },
    params: IdParams,
    answer: { status: 200, schema: Contact },
    refusals: ['no_such_contact'],
  }),
} as const;
