import { client } from '../../api/client.ts';
import { type InboundFax, inboundQuery } from '../../api/inbound.ts';
import { queryClient } from '../../api/queries.ts';
import { RowList } from '../../api/row-list.ts';
import { useRowList } from '../../api/use-row-list.ts';
import { t } from '../../texts/index.ts';
import { usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { isUnread, pagesOf, senderOf } from './fax-words.ts';
import { fits, type InboxFilter, isFiltered, queryOf, searchOf } from './filter.ts';

export type InboxList = RowList<InboundFax>;

function openInbox(filter: InboxFilter): Promise<InboxList> {
  const query = queryOf(filter);
  return RowList.open((request, signal) =>
    client.inbound.pageInbound({ query: { ...query, ...request }, signal }),
  );
}

/** The received faxes of a filter, kept up to date. `onInsert` hears where one was put in. */
export function useInboxList(filter: InboxFilter, isOn: boolean, onInsert: (index: number) => void) {
  const phone = usePhoneFormat();
  return useRowList({
    name: 'inbound-list',
    filter: searchOf(filter),
    isOn,
    open: () => openInbox(filter),
    kind: 'inbound.changed',
    read: readAgain,
    fits: (fax) => fits(fax, filter),
    isAll: !isFiltered(filter),
    onInsert,
    onRow: (fax, before) => {
      const isNew = isUnread(fax) && before?.status !== 'received';
      if (isNew) announce(t.inbox.arrived(senderOf(fax, phone), pagesOf(fax)));
    },
  });
}

/** What is shown of it beside the list comes from the same answer. */
async function readAgain(id: string): Promise<InboundFax> {
  const fax = await client.inbound.getInbound({ params: { id } });
  queryClient.setQueryData(inboundQuery(id).queryKey, fax);
  return fax;
}
