import { useEffect } from 'react';
import type { InboundFax } from '../../api/inbound.ts';
import { type PageSize, pageAddress } from './page-address.ts';

/**
 * Has the first page of the fax that comes next drawn while this one is read. Only its head is asked for: the gateway
 * keeps the picture, and nobody has opened a fax that they did not get to.
 */
export function useNextPage(next: InboundFax | undefined, size: PageSize): void {
  const id = next?.status === 'received' && next.document_kept ? next.id : null;
  useEffect(() => {
    if (id === null) return;
    // When it cannot be had, it is asked for again and the reason shown once the fax is opened.
    fetch(pageAddress(id, 1, size), { method: 'HEAD' }).catch(() => undefined);
  }, [id, size]);
}
