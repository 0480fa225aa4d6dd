import type { z } from 'zod';
import type { DirectoryMatches } from '../../../shared/api/contacts-directory.ts';
import type { ContactFormat } from '../../../shared/api/contacts-import.ts';
import type { ContactHistory, ContactSuggestion } from '../../../shared/api/contacts-shapes.ts';
import type { EncodedPages } from '../../../shared/encoded-pages.ts';
import type { ReadDb } from '../../db/database.ts';
import type { Caller } from '../access/service.ts';
import {
  type ContactRead,
  changeContact,
  createContact,
  forgetLineMemory,
  removeContact,
} from './changes.ts';
import { completeContacts } from './completion.ts';
import { exportContacts } from './csv/export.ts';
import { createLookUp } from './directory/look-up.ts';
import { noSuchContact } from './errors.ts';
import { historyOf } from './history.ts';
import { type ImportOrder, type ImportResult, importContacts } from './import/import.ts';
import { createLineCalls, type LineCalls } from './line-calls.ts';
import { type ContactAnswer, type ListRequest, presentAll, searchContacts, wordsOf } from './listing.ts';
import { mergeContacts } from './merge.ts';
import {
  addOptOut,
  importOptOuts,
  type OptOutAnswer,
  type OptOutImportResult,
  type OptOutPage,
  type OptOutQuery,
  removeOptOut,
  searchOptOuts,
} from './opt-outs.ts';
import type { ContactsParts } from './parts.ts';
import { openSharedKey } from './shared-key.ts';
import { contactOf, countWithCover, findContact, namesOf, voiceNamesOf } from './store/contact-store.ts';
import { countTags } from './store/key-store.ts';
import { numbersOf } from './store/list-store.ts';
import { findOptOut } from './store/opt-out-store.ts';
import type { AllowedHours, ContactName, ContactPatch, ContactRow, NewContact } from './types.ts';
import { contactScope, maySee, maySeeContacts } from './visibility.ts';

/** Maximum matching contacts whose numbers are searched for in lists of faxes. */
const MAX_NAMED = 50;
const hoursOf = (json: string | null) => (json === null ? null : (JSON.parse(json) as AllowedHours[]));

/** Maximum tags of the list of tags. */
const MAX_TAGS = 200;

/** Sending preferences of the contact of a number; defaults for a number without a contact. */
export interface SendingPreferences {
  /** No fax is to be accepted for it. */
  readonly blocked: boolean;
  /** Maximum minutes (0 to 1440) that a fax may wait for others that leave with it; 0 for never. */
  readonly togetherMinutes: number;
  /** The delivery route that goes before all others; null for none. */
  readonly preferredRoute: string | null;
  /** Form of the pages that are sent to it. */
  readonly encodedPages: EncodedPages;
  /** The contact asked for no faxes, or the number is on the opt-out list. */
  readonly optedOut: boolean;
  /** Cover page of faxes to it; null for the usual one. */
  readonly coverId: string | null;
  /** A case packet may name a document that was delivered to it earlier, instead of sending it again. */
  readonly acceptsReferences: boolean;
  /** Hours in which the contact may be faxed; null for any time. */
  readonly allowedHours: readonly AllowedHours[] | null;
  /** Zone of those hours, IANA; null for that of the installation. */
  readonly timeZone: string | null;
}

/** Contact of a number, and how faxes to it are sent; for the rooms of faxes. */
export interface NumberLookup {
  /** Returns names by E.164 number; none for a caller who may not see contacts. */
  namesOf(caller: Caller, numbers: readonly string[]): Promise<ReadonlyMap<string, ContactName>>;
  /** Returns the names of contacts with these telephone numbers (E.164), where no fax machine answers. */
  voiceNamesOf(caller: Caller, numbers: readonly string[]): Promise<ReadonlyMap<string, ContactName>>;
  /**
   * Returns the name for an E.164 number, for texts of the gateway to people who were chosen to read them about a fax of
   * this mailbox (null for none). The contact of another mailbox has no name there.
   */
  nameOf(number: string, mailboxId: string | null): Promise<string | null>;
  /** Returns true when a contact has the E.164 fax number, whoever sees it. Inside a transaction with its `db`. */
  isKnown(number: string, db?: ReadDb): Promise<boolean>;
  /** Numbers of contacts that are found by these words, the first 50 by name; none for a caller who may not see contacts. */
  findNumbers(caller: Caller, typed: string): Promise<string[]>;
  /** Returns the sending preferences for the E.164 number. Inside a transaction with its `db`. */
  preferencesFor(to: string, db?: ReadDb): Promise<SendingPreferences>;
  /** Returns the shared key of the contact of an E.164 number; null for none. Throws SealError. */
  sharedKeyOf(number: string): Promise<string | null>;
  /** Returns the shared key of a contact by its ID; null for none. Throws a 404 refusal, and SealError. */
  sharedKeyOfContact(id: string): Promise<string | null>;
  readonly lineCalls: LineCalls;
}

/** The service of the room. Refusals are ContactRefusalError. */
export interface ContactsService extends NumberLookup {
  list(caller: Caller, request: ListRequest): Promise<{ items: ContactAnswer[]; next_cursor: string | null }>;
  get(caller: Caller, id: string): Promise<ContactAnswer>;
  create(caller: Caller, fields: NewContact): Promise<ContactAnswer>;
  change(caller: Caller, read: ContactRead, patch: ContactPatch): Promise<ContactAnswer>;
  /** Merges the other contact into the first one and removes it; with `checkOnly` it only returns what both would become. */
  merge(caller: Caller, read: ContactRead, other: ContactRead, checkOnly: boolean): Promise<ContactAnswer>;
  /** Lists the contacts that a typed text may mean. */
  complete(
    caller: Caller,
    request: { readonly q: string; readonly limit: number },
  ): Promise<{ items: z.infer<typeof ContactSuggestion>[] }>;
  /** Searches the office directory. */
  listDirectoryEntries(
    caller: Caller,
    request: { readonly q: string; readonly limit: number },
  ): Promise<z.infer<typeof DirectoryMatches>>;
  /** Counts the contacts by tag. */
  tags(caller: Caller): Promise<{ items: { tag: string; contacts: number }[] }>;
  history(caller: Caller, id: string): Promise<z.infer<typeof ContactHistory>>;
  remove(caller: Caller, read: ContactRead): Promise<ContactAnswer>;
  /** Deletes the line memory of its number; the next call is made with the best settings. */
  forgetLineMemory(caller: Caller, id: string): Promise<ContactAnswer>;
  /** Counts the contacts with this cover page. */
  countWithCover(coverId: string): Promise<number>;
  /** Imports an address book, a CSV file or vCards. */
  importFile(caller: Caller, order: ImportOrder): Promise<ImportResult>;
  searchOptOuts(caller: Caller, query: OptOutQuery): Promise<OptOutPage>;
  /** Adds a number as typed; one that is listed stays as it is. */
  addOptOut(
    caller: Caller,
    typed: { fax_number: string; note?: string | null | undefined },
  ): Promise<OptOutAnswer>;
  importOptOuts(
    caller: Caller,
    order: { bytes: Uint8Array; note: string | null; checkOnly: boolean },
  ): Promise<OptOutImportResult>;
  removeOptOut(caller: Caller, typed: string): Promise<{ fax_number: string; was_listed: boolean }>;
  /** Exports the contacts that the caller sees, by name. */
  exportFile(caller: Caller, format: ContactFormat): Promise<string>;
}

export function createContactsService(parts: ContactsParts): ContactsService {
  const { db } = parts;
  const present = async (caller: Caller, row: ContactRow) => {
    const [answer] = await presentAll(parts, caller, [row]);
    return answer as ContactAnswer;
  };
  const seen = async (caller: Caller, id: string) => {
    const row = await findContact(db.read, id);
    if (!row || !maySee(caller, row)) throw noSuchContact();
    return row;
  };
  return {
    ...createNumberLookup(parts),
    list: (caller, request) => searchContacts(parts, caller, request),
    get: async (caller, id) => present(caller, await seen(caller, id)),
    merge: async (caller, read, other, checkOnly) =>
      present(caller, await mergeContacts(parts, caller, { read, other, checkOnly })),
    complete: async (caller, request) => ({ items: await completeContacts(parts, caller, request) }),
    listDirectoryEntries: createLookUp(parts),
    tags: async (caller) => ({ items: await countTags(db.read, contactScope(caller), MAX_TAGS) }),
    history: async (caller, id) => historyOf(parts, caller, await seen(caller, id)),
    create: async (caller, fields) => present(caller, await createContact(parts, caller, fields)),
    change: async (caller, read, patch) => present(caller, await changeContact(parts, caller, read, patch)),
    remove: async (caller, read) => present(caller, await removeContact(parts, caller, read)),
    forgetLineMemory: async (caller, id) => present(caller, await forgetLineMemory(parts, caller, id)),
    countWithCover: (coverId) => countWithCover(db.read, coverId),
    importFile: (caller, order) => importContacts(parts, caller, order),
    searchOptOuts: (caller, query) => searchOptOuts(parts, caller, query),
    addOptOut: (caller, typed) => addOptOut(parts, caller, typed),
    importOptOuts: (caller, order) => importOptOuts(parts, caller, order),
    removeOptOut: (caller, typed) => removeOptOut(parts, caller, typed),
    exportFile: (caller, format) => exportContacts(parts, caller, format),
  };
}

function createNumberLookup(parts: ContactsParts): NumberLookup {
  const { db } = parts;
  const named = async (caller: Caller, numbers: readonly string[], find: typeof namesOf) => {
    if (!maySeeContacts(caller)) return new Map<string, ContactName>();
    const found = await find(db.read, [...new Set(numbers)], contactScope(caller));
    return new Map(found.map(({ number, id, name }) => [number, { id, name }]));
  };
  return {
    namesOf: (caller, numbers) => named(caller, numbers, namesOf),
    voiceNamesOf: (caller, numbers) => named(caller, numbers, voiceNamesOf),
    async nameOf(number, mailboxId) {
      const contact = await contactOf(db.read, number);
      if (!contact) return null;
      const { owner_mailbox_id: owner, name } = contact;
      return owner === null || owner === mailboxId ? name : null;
    },
    isKnown: async (number, from = db.read) => (await contactOf(from, number)) !== undefined,
    async findNumbers(caller, typed) {
      const words = wordsOf(typed);
      // A number is found in the faxes themselves.
      if (!maySeeContacts(caller) || !/\p{L}/u.test(typed) || words.length === 0) return [];
      return numbersOf(db.read, { scope: contactScope(caller), words, limit: MAX_NAMED });
    },
    async preferencesFor(to, from = db.read) {
      const [contact, listed] = await Promise.all([contactOf(from, to), findOptOut(from, to)]);
      return {
        blocked: contact?.blocked === 1,
        togetherMinutes: contact?.send_together_minutes ?? 0,
        preferredRoute: contact?.preferred_route ?? null,
        encodedPages: contact?.encoded_pages ?? 'off',
        optedOut: listed !== undefined || (contact?.opted_out_at ?? null) !== null,
        coverId: contact?.cover_id ?? null,
        acceptsReferences: contact?.accepts_references === 1,
        allowedHours: hoursOf(contact?.allowed_hours ?? null),
        timeZone: contact?.time_zone ?? null,
      };
    },
    async sharedKeyOf(number) {
      const contact = await contactOf(db.read, number);
      return contact ? openSharedKey(parts, contact) : null;
    },
    async sharedKeyOfContact(id) {
      const contact = await findContact(db.read, id);
      if (!contact) throw noSuchContact();
      return openSharedKey(parts, contact);
    },
    lineCalls: createLineCalls(parts),
  };
}
