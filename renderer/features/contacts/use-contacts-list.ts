import { client } from '../../api/client.ts';
import type { Contact } from '../../api/contacts.ts';
import type { List } from '../../api/lists/list.ts';
import { useList } from '../../api/lists/use-list.ts';
import { type ContactsFilter, queryOf } from './filter.ts';

export type ContactsList = List<Contact>;

/** The contacts of a filter, by name; read again when one changed. */
export function useContactsList(filter: ContactsFilter): ContactsList {
  const query = queryOf(filter);
  return useList({
    key: ['contacts', 'list', query],
    read: (request, signal) => client.contacts.listContacts({ query: { ...query, ...request }, signal }),
  });
}
