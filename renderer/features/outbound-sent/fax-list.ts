import { client } from '../../api/client.ts';
import { RowList } from '../../api/row-list.ts';
import { type ListedFax, listed } from './listed-fax.ts';

type Query = NonNullable<Parameters<typeof client.outbound.listFaxes>[0]>['query'];

/** The sent faxes of one filter. */
export type FaxList = RowList<ListedFax>;

/** With its first page. Rejects like a request. */
export function openFaxes(query: Query): Promise<FaxList> {
  return RowList.open(async (request, signal) => {
    const page = await client.outbound.listFaxes({ query: { ...query, ...request }, signal });
    return { items: page.items.map(listed), next_cursor: page.next_cursor };
  });
}
