import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Contact as ContactShape } from '../../shared/api/contacts.ts';
import { client } from './client.ts';
import { queryClient } from './queries.ts';

export type Contact = z.infer<typeof ContactShape>;

/** One contact; read again whenever one changes. */
export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', id],
    queryFn: ({ signal }) => client.contacts.getContact({ params: { id }, signal }),
  });

/** Sums and the last times of the faxes to and from a contact. */
export const contactHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', id, 'history'],
    queryFn: ({ signal }) => client.contacts.getContactHistory({ params: { id }, signal }),
  });

/** Tags of the contacts with the number of contacts of each; read again whenever one changes. */
export const contactTagsQuery = queryOptions({
  queryKey: ['contacts', 'tags'],
  queryFn: async ({ signal }) => (await client.contacts.listContactTags({ signal })).items,
});

/**
 * Queries that contain contact names. They are read again when a contact changes, since its name stands wherever its
 * number does.
 */
export const NAMING_CONTACTS = [
  'contacts',
  'contact',
  'recipients',
  'number-check',
  'fax',
  'inbound',
  'sent-list',
  'inbox-list',
  'work-list',
  'work',
] as const;

/** Reads again after a change of one's own, before its event comes. */
export async function contactsChanged(): Promise<void> {
  await Promise.all(NAMING_CONTACTS.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
}
