import { client } from '../../api/client.ts';
import type { InboundFax } from '../../api/inbound.ts';
import type { List } from '../../api/lists/list.ts';
import { newestFirst } from '../../api/lists/row-order.ts';
import { useList } from '../../api/lists/use-list.ts';
import { isUnread, pagesOf, senderOf } from '../../parts/received/fax-words.ts';
import { t } from '../../texts/index.ts';
import { usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { type InboxFilter, queryOf } from './filter.ts';

export type InboxList = List<InboundFax>;

/** The received faxes of a filter, kept up to date; one that arrives is announced. */
export function useInboxList(filter: InboxFilter): InboxList {
  const phone = usePhoneFormat();
  const query = queryOf(filter);
  return useList({
    key: ['inbox-list', query],
    read: (request, signal) => client.inbound.pageInbound({ query: { ...query, ...request }, signal }),
    live: {
      kind: 'inbound.changed',
      isUnfiltered: false,
      isBefore: newestFirst,
      fetchRows: async (ids, underFilter) => {
        // A listed row is read as it is, also where it is a test fax.
        const under = underFilter ? query : { include_test: 'true' };
        const asked = { ...under, ids: ids.join(), limit: ids.length };
        return (await client.inbound.pageInbound({ query: asked })).items;
      },
      leaves: ({ junk }) => junk !== (filter.state === 'junk'),
      onRow: (fax, before) => {
        const isNew = isUnread(fax) && !fax.junk && !fax.test && before?.status !== 'received';
        if (isNew) announce(t.inbox.arrived(senderOf(fax, phone), pagesOf(fax)));
      },
    },
  });
}
