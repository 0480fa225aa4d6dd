import { useEffect } from 'react';
import type { InboundFax } from '../../api/inbound.ts';
import { usePermission } from '../../api/queries.ts';
import { beginPicture, prepareForPictures } from '../pages/load-picture.ts';
import { type PageSize, pageAddress } from './page-address.ts';
import { isOpenable } from './use-openable.ts';

/** Number of first pages that are drawn ahead at a time. */
export const MAX_AHEAD = 4;
/** A list that is passed in a moment draws nothing. */
const SETTLED_MS = 150;
/** Number of drawn pages that are remembered; the gateway drops the oldest pictures as well. */
const REMEMBERED = 500;

/** Size of the last fax that was shown, so that the next one is requested in it at once. */
let last: PageSize = 'half';
export const lastSize = (): PageSize => last;
export function keepSize(size: PageSize): PageSize {
  last = size;
  return size;
}

/** Returns a function that loads the first page of a fax while the screen is still made for it. */
export function useBeginPages(): (fax: InboundFax | undefined) => void {
  const mayOpen = usePermission('inbound:document');
  return (fax) => {
    if (fax && mayOpen && isOpenable(fax)) beginPicture(pageAddress(fax.id, 1, last));
  };
}

/** Addresses of the pages that the gateway drew ahead, or draws now; the latest last. */
const drawn = new Set<string>();

/**
 * Has the gateway draw the first pages of faxes that are likely to be opened next, one after the other. Sends HEAD requests
 * only: the gateway keeps the pictures, and the audit records no opening of a fax that the person may never reach.
 */
export function useDrawAhead(faxes: readonly InboundFax[]): void {
  const mayOpen = usePermission('inbound:document');
  const here = faxes.filter((fax) => mayOpen && isOpenable(fax));
  const wanted = here
    .slice(0, MAX_AHEAD)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (wanted === '') return;
    const abort = new AbortController();
    const timer = setTimeout(() => void drawEach(wanted.split(' '), abort.signal), SETTLED_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted]);
}

async function drawEach(ids: readonly string[], signal: AbortSignal): Promise<void> {
  prepareForPictures();
  for (const address of ids.map((id) => pageAddress(id, 1, last))) {
    if (signal.aborted) return;
    if (drawn.has(address)) continue;
    remember(address);
    // On failure the picture is requested again, and the reason shown, once the fax is opened.
    const answer = await fetch(address, { method: 'HEAD' }).catch(() => null);
    if (!answer?.ok) drawn.delete(address);
  }
}

function remember(address: string): void {
  drawn.add(address);
  for (const oldest of drawn) {
    if (drawn.size <= REMEMBERED) return;
    drawn.delete(oldest);
  }
}
