import { client } from '../../api/client.ts';
import { useMe } from '../../api/queries.ts';
import { useRowList } from '../../api/use-row-list.ts';
import { openFaxes } from './fax-list.ts';
import { fits, isFiltered, queryOf, type SentFilter, searchOf } from './filter.ts';
import { listed } from './listed-fax.ts';

/** The list of a filter, kept up to date. `onInsert` hears where a row was put in. */
export function useFaxList(filter: SentFilter, onInsert: (index: number) => void) {
  const meId = useMe()?.principal.id ?? '';
  return useRowList({
    name: 'fax-list',
    filter: searchOf(filter),
    open: () => openFaxes(queryOf(filter)),
    kind: 'fax.changed',
    read: async (id) => listed(await client.outbound.getFax({ params: { id } })),
    fits: (fax) => fits(fax, filter, meId),
    isAll: !isFiltered(filter),
    onInsert,
  });
}
