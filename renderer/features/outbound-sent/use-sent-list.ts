import { client } from '../../api/client.ts';
import type { List } from '../../api/lists/list.ts';
import { newestFirst } from '../../api/lists/row-order.ts';
import { useList } from '../../api/lists/use-list.ts';
import { queryOf, type SentFilter } from './filter.ts';
import { type ListedFax, listed } from './listed-fax.ts';

export type SentList = List<ListedFax>;

/** The sent faxes of a filter, kept up to date. */
export function useSentList(filter: SentFilter): SentList {
  const query = queryOf(filter);
  return useList({
    key: ['sent-list', query],
    read: async (request, signal) => {
      const page = await client.outbound.listFaxes({ query: { ...query, ...request }, signal });
      return { items: page.items.map(listed), next_cursor: page.next_cursor };
    },
    live: {
      kind: 'fax.changed',
      isUnfiltered: Object.keys(query).length === 0,
      isBefore: newestFirst,
      fetchRows: async (ids, underFilter) => {
        // A listed row is read as it is, also where it is a test fax.
        const under = underFilter ? query : { include_test: 'true' };
        const asked = { ...under, ids: ids.join(), limit: ids.length };
        return (await client.outbound.listFaxes({ query: asked })).items.map(listed);
      },
    },
  });
}
