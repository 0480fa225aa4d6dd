import { useEffect } from 'react';
import type { InboundFax } from '../../api/inbound.ts';
import { type PageSize, pageAddress } from './page-address.ts';

/**
 * Has the gateway draw the first page of the next fax while this one is read. Sends a HEAD request only: the gateway
 * keeps the picture, and the audit records no opening of a fax that the person may never reach.
 */
export function useNextPage(next: InboundFax | undefined, size: PageSize): void {
  const id = next?.status === 'received' && next.document_kept ? next.id : null;
  useEffect(() => {
    if (id === null) return;
    // On failure the picture is requested again, and the reason shown, once the fax is opened.
    fetch(pageAddress(id, 1, size), { method: 'HEAD' }).catch(() => undefined);
  }, [id, size]);
}
