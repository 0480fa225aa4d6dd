import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Contact as ContactShape } from '../../shared/api/contacts.ts';
import type { OptOut } from '../../shared/api/contacts-opt-outs.ts';
import { LIMITS } from '../../shared/limits.ts';
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

/** True where the settings name an office directory. */
export const hasDirectoryQuery = queryOptions({
  queryKey: ['directory'],
  staleTime: 300_000,
  queryFn: async ({ signal }) =>
    (await client.contacts.listDirectoryEntries({ query: {}, signal })).configured,
});

/** Entries of the office directory that a text may mean. Not tried again by itself: the person types on. */
export const directoryQuery = (q: string, limit: number) =>
  queryOptions({
    queryKey: ['recipients', 'directory', q, limit],
    staleTime: 30_000,
    retry: false,
    queryFn: async ({ signal }) =>
      (
        await client.contacts.listDirectoryEntries({
          query: { q: q.slice(0, LIMITS.searchLength), limit },
          signal,
        })
      ).items,
  });

/** Numbers of one request. */
const PAGE = 200;

/** The first numbers that want no faxes; read again whenever a contact or the list changes. */
export const optOutsQuery = (q: string, limit: number) =>
  queryOptions({
    queryKey: ['contacts', 'opt-outs', q, limit],
    queryFn: async ({ signal }) => {
      const items: z.infer<typeof OptOut>[] = [];
      let cursor: string | undefined;
      do {
        const query = {
          limit: Math.min(PAGE, limit - items.length),
          ...(q && { q }),
          ...(cursor && { cursor }),
        };
        const page = await client.contacts.listOptOuts({ query, signal });
        items.push(...page.items);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined && items.length < limit);
      return { items, isWhole: cursor === undefined };
    },
    placeholderData: keepPreviousData,
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
