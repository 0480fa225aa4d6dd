import { useRef } from 'react';
import type { InboundFax } from '../../api/inbound.ts';

/** Returns true when the person may open the pages of the fax, and there are some. */
export const isOpenable = ({ status, document_kept, may_open }: InboundFax): boolean =>
  status === 'received' && document_kept && may_open;

/** Returns the same, and true for `wasHere` when the pages were here at any time since this fax was opened. */
export function useOpenable(fax: InboundFax): { isHere: boolean; wasHere: boolean } {
  const wasHere = useRef(false);
  const isHere = isOpenable(fax);
  if (isHere) wasHere.current = true;
  return { isHere, wasHere: wasHere.current };
}
