import type { Fax } from '../../parts/fax-state.ts';

/** What a row shows of a fax. Less than the whole, because a long list holds many. */
export interface ListedFax
  extends Pick<
    Fax,
    | 'id'
    | 'to'
    | 'delivery_state'
    | 'delivery_version'
    | 'decision'
    | 'send_at'
    | 'waits_for'
    | 'together'
    | 'created_at'
    | 'error'
    | 'cost'
    | 'delivered_by'
    | 'created_by'
    | 'titles'
  > {
  readonly contact: string | null;
  readonly fileName: string;
  readonly pages: number;
  /** Confirmed; null while unknown. */
  readonly pagesSent: number | null;
}

export function listed(fax: Fax): ListedFax {
  const {
    id,
    to,
    delivery_state,
    delivery_version,
    decision,
    send_at,
    waits_for,
    together,
    created_at,
    error,
    cost,
    delivered_by,
    created_by,
    titles,
  } = fax;
  return {
    id,
    to,
    delivery_state,
    delivery_version,
    decision,
    send_at,
    waits_for,
    together,
    created_at,
    error,
    cost,
    delivered_by,
    created_by,
    titles,
    contact: fax.contact?.name ?? null,
    fileName: fax.document.file_name,
    pages: fax.document.pages,
    pagesSent: pagesSent(fax),
  };
}

/** Pages that certainly arrived; null where nobody knows. */
export function pagesSent(fax: Fax): number | null {
  const { delivery_state, attempt, document } = fax;
  if (attempt?.pages_sent !== null && attempt?.pages_sent !== undefined) return attempt.pages_sent;
  if (delivery_state === 'success') return document.pages;
  const isUnsent = attempt === null || ['held', 'ready', 'preparing', 'cancelled'].includes(delivery_state);
  return isUnsent ? 0 : null;
}
