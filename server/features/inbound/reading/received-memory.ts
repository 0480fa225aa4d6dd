import { scopeOf } from '../../access/service.ts';
import type { ReceivedMemory } from '../../contacts/port.ts';
import type { InboundParts } from '../parts.ts';
import { listFaxes } from '../store/list-store.ts';

/** Creates the lookup of received faxes that the contacts room uses. Junk is left out. */
export function createReceivedMemory({ db }: Pick<InboundParts, 'db'>): ReceivedMemory {
  return {
    async receivedFrom(caller, numbers, limit) {
      if (caller.isTest) return [];
      const scope = scopeOf(caller, 'inbound:list');
      const pages = await Promise.all(
        numbers.map((from) => listFaxes(db.read, { scope, from, junk: false, limit })),
      );
      return pages
        .flatMap(({ items }) => items)
        .map(({ id, from_number, pages: count, received_at }) => ({
          direction: 'received' as const,
          id,
          number: from_number ?? '',
          pages: count,
          delivery_state: null,
          at: received_at,
        }))
        .toSorted((a, b) => Number(a.at < b.at) - Number(a.at > b.at))
        .slice(0, limit);
    },
  };
}
