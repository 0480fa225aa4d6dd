import { daysOf, timesOf } from '../../parts/lists/days.ts';
import { type FilterCodec, onlySet } from '../../parts/lists/list-filter.ts';
import type { DateSpan } from '../../ui/date-filter.tsx';

/** The chips by which states are chosen; their names stand in the address. */
export const STATE_CHIPS = ['unread', 'waiting', 'failed', 'junk'] as const;
type StateChip = (typeof STATE_CHIPS)[number];

/** Filter in the address. */
export interface InboxFilter extends DateSpan {
  /** Words of a contact, part of a number or of the provider's id. */
  readonly q: string;
  /** One at a time: what waits or failed cannot be opened. */
  readonly state: StateChip | null;
  /** Label of a mailbox; empty for all. */
  readonly mailbox: string;
  /** True for faxes under a legal hold. */
  readonly isKept: boolean;
  /** True to list what test keys asked for as well. */
  readonly withTests: boolean;
}

export const INBOX_FILTER: FilterCodec<InboxFilter> = {
  fromAddress: ({ q = '', state, mailbox = '', tests, hold, ...days }) => ({
    q: q.trim(),
    state: STATE_CHIPS.find((chip) => chip === state) ?? null,
    mailbox,
    isKept: hold === 'kept',
    withTests: tests === 'shown',
    ...daysOf(days),
  }),
  toAddress: ({ q, state, mailbox, isKept, withTests, since, until }) =>
    onlySet({ q, state, mailbox, hold: isKept && 'kept', tests: withTests && 'shown', since, until }),
};

/** Nothing but what is unread. */
export function isOnlyUnread(filter: InboxFilter): boolean {
  return isOnly(filter, 'unread');
}

/** Everything in Junk. */
export function isOnlyJunk(filter: InboxFilter): boolean {
  return isOnly(filter, 'junk');
}

function isOnly(filter: InboxFilter, chip: StateChip): boolean {
  return filter.state === chip && Object.keys(INBOX_FILTER.toAddress(filter)).length === 1;
}

/** The same for the gateway. What is in Junk is in no other list. */
export function queryOf({ q, state, mailbox, isKept, withTests, ...days }: InboxFilter) {
  const junk = state === 'junk' ? 'true' : 'false';
  const include_test = withTests && 'true';
  const legal_hold = isKept && 'true';
  return {
    ...onlySet({ q, mailbox, legal_hold, include_test }),
    ...chosenBy(state),
    junk,
    ...timesOf(days),
  } as const;
}

function chosenBy(state: InboxFilter['state']) {
  if (state === 'unread') return { unread: 'true' };
  return state === 'junk' ? {} : onlySet({ status: state });
}
