import { documentPagesSent, type Fax } from '../../parts/fax-state.ts';

const SHOWN = [
  'id',
  'to',
  'delivery_state',
  'delivery_version',
  'decision',
  'send_at',
  'hours',
  'waits_for',
  'held_reason',
  'together',
  'created_at',
  'error',
  'cost',
  'free',
  'created_by',
  'titles',
  'subject',
  'reference',
  'document_type',
  'test',
  'kind',
  'delivered_by',
] as const satisfies readonly (keyof Fax)[];
type Shown = Pick<Fax, (typeof SHOWN)[number]>;

/** Part of a fax that a row shows. Smaller than the whole, because a long list holds many. */
export interface ListedFax extends Shown {
  readonly contact: string | null;
  readonly fileName: string;
  readonly pages: number;
  /** Confirmed; null while unknown. */
  readonly pagesSent: number | null;
}

export function listed(fax: Fax): ListedFax {
  const shown = Object.fromEntries(SHOWN.map((name) => [name, fax[name]])) as unknown as Shown;
  return {
    ...shown,
    contact: fax.contact?.name ?? null,
    fileName: fax.document.file_name,
    pages: fax.document.pages,
    pagesSent: pagesSent(fax),
  };
}

/** Returns the number of pages that certainly arrived; null when it is unknown. */
export function pagesSent(fax: Fax): number | null {
  const { delivery_state, attempt, document } = fax;
  const sent = documentPagesSent(fax);
  if (sent !== null) return sent;
  if (delivery_state === 'success') return document.pages;
  if (['held', 'ready', 'preparing', 'cancelled'].includes(delivery_state)) return 0;
  // An earlier release kept no attempts: its faxes may have arrived.
  return attempt === null && delivery_state !== 'reconciliation_required' ? 0 : null;
}
