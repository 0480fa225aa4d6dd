import { type InboundFax } from '../../api/inbound.ts';
import type { DateSpan } from '../../ui/date-filter.tsx';

/** The chips by which states are chosen; their names stand in the address. */
export const STATE_CHIPS = ['unread', 'waiting', 'failed'] as const;
export type StateChip = (typeof STATE_CHIPS)[number];

/** What the address says about the list. */
export interface InboxFilter extends DateSpan {
  /** Part of a number or of the provider's id. */
  readonly q: string;
  /** One at a time: what waits or failed cannot be opened. */
  readonly state: StateChip | null;
  /** Label of a mailbox; empty for all. */
  readonly mailbox: string;
}

interface Search {
  readonly q?: string;
  readonly state?: string;
  readonly mailbox?: string;
  readonly since?: string;
  readonly until?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/u;
const dayOf = (text = '') => (DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : '');

export function filterOf(search: Search): InboxFilter {
  return {
    q: search.q?.trim() ?? '',
    state: STATE_CHIPS.find((chip) => chip === search.state) ?? null,
    mailbox: search.mailbox ?? '',
    since: dayOf(search.since),
    until: dayOf(search.until),
  };
}

/** Only what is set, so that the address stays short. */
export function searchOf({ q, state, mailbox, since, until }: InboxFilter): Search {
  return {
    ...(q && { q }),
    ...(state && { state }),
    ...(mailbox && { mailbox }),
    ...(since && { since }),
    ...(until && { until }),
  };
}

export function isFiltered(filter: InboxFilter): boolean {
  return Object.keys(searchOf(filter)).length > 0;
}

/** Days are those of this computer. */
const startOf = (day: string, plusDays = 0) => {
  const time = new Date(`${day}T00:00:00`);
  time.setDate(time.getDate() + plusDays);
  return time.toISOString();
};

/** The same for the gateway. */
export function queryOf({ q, state, mailbox, since, until }: InboxFilter) {
  return {
    ...(q && { q }),
    ...(state === 'unread' ? { unread: 'true' } : state && { status: state }),
    ...(mailbox && { mailbox }),
    ...(since && { since: startOf(since) }),
    ...(until && { until: startOf(until, 1) }),
  };
}

/** Whether a fax that is new belongs into the list, as the gateway would say. */
export function fits(fax: InboundFax, { q, state, mailbox, since, until }: InboxFilter): boolean {
  const text = q.toLowerCase();
  const digits = /^[\d+()\-./\s]+$/u.test(text) ? text.replaceAll(/\D/gu, '') : '';
  const searched = [fax.fr, fax.to, fax.provider_fax_id].join(' ').toLowerCase();
  return (
    (state === null ||
      (state === 'unread' ? fax.status === 'received' && fax.read_at === null : fax.status === state)) &&
    (mailbox === '' || fax.mailbox === mailbox) &&
    (since === '' || fax.created_at >= startOf(since)) &&
    (until === '' || fax.created_at < startOf(until, 1)) &&
    (text === '' || searched.includes(text) || (digits !== '' && searched.includes(digits)))
  );
}
