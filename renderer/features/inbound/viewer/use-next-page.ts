import { useEffect, useRef } from 'react';
import type { InboundFax } from '../../../api/inbound.ts';
import { pageAddress } from './page-address.ts';

/** Reads the first page of the fax that comes next while this one is read. */
export function useNextPage(next: InboundFax | undefined): void {
  const ahead = useRef<HTMLImageElement | null>(null);
  const id = next?.status === 'received' && next.document_kept ? next.id : null;
  useEffect(() => {
    if (id === null) return;
    const image = new Image();
    image.src = pageAddress(id, 1, 'sheet');
    // The browser takes the picture from here as long as it is held.
    ahead.current = image;
  }, [id]);
}
