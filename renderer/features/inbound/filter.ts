import { daysOf, timesOf } from '../../parts/lists/days.ts';
import { type FilterCodec, onlySet } from '../../parts/lists/list-filter.ts';
import type { DateSpan } from '../../ui/date-filter.tsx';

/** The chips by which states are chosen; their names stand in the address. */
export const STATE_CHIPS = ['unread', 'waiting', 'failed'] as const;
type StateChip = (typeof STATE_CHIPS)[number];

/** Filter in the address. */
export interface InboxFilter extends DateSpan {
  /** Words of a contact, part of a number or of the provider's id. */
  readonly q: string;
  /** One at a time: what waits or failed cannot be opened. */
  readonly state: StateChip | null;
  /** Label of a mailbox; empty for all. */
  readonly mailbox: string;
}

export const INBOX_FILTER: FilterCodec<InboxFilter> = {
  fromAddress: ({ q = '', state, mailbox = '', ...days }) => ({
    q: q.trim(),
    state: STATE_CHIPS.find((chip) => chip === state) ?? null,
    mailbox,
    ...daysOf(days),
  }),
  toAddress: ({ q, state, mailbox, since, until }) => onlySet({ q, state, mailbox, since, until }),
};

/** Nothing but what is unread. */
export function isOnlyUnread(filter: InboxFilter): boolean {
  return filter.state === 'unread' && Object.keys(INBOX_FILTER.toAddress(filter)).length === 1;
}

/** The same for the gateway. */
export function queryOf({ q, state, mailbox, ...days }: InboxFilter) {
  const chosen = state === 'unread' ? { unread: 'true' } : onlySet({ status: state });
  return { ...onlySet({ q, mailbox }), ...chosen, ...timesOf(days) };
}
