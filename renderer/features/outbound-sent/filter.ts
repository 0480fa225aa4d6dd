import type { DeliveryState } from '../../../shared/states/outbound.ts';
import { daysOf, timesOf } from '../../parts/lists/days.ts';
import { type FilterCodec, onlySet } from '../../parts/lists/list-filter.ts';
import type { DateSpan } from '../../ui/date-filter.tsx';
import { type Counts, countOf, type FaxCount, scheduledOf } from './counts.ts';

/** The chips by which states are chosen; their names stand in the address. */
export const STATE_GROUPS = {
  ask: ['reconciliation_required'],
  going: ['ready', 'preparing', 'submitting', 'in_progress'],
  held: ['held'],
  failed: ['failed'],
} as const satisfies Record<string, readonly DeliveryState[]>;
export type StateGroup = keyof typeof STATE_GROUPS;

/** Filter in the address. */
export interface SentFilter extends DateSpan {
  /** Words of a contact, part of a number, file name or title. */
  readonly q: string;
  readonly groups: readonly StateGroup[];
  /** True for faxes that wait for their time; no groups are chosen then. */
  readonly isScheduled: boolean;
  readonly isMine: boolean;
  /** Id of a case: only its faxes; empty for all. */
  readonly caseId: string;
  /** True for faxes under a legal hold. */
  readonly isKept: boolean;
  /** True to list test faxes as well. */
  readonly withTests: boolean;
}

export const SENT_FILTER: FilterCodec<SentFilter> = {
  fromAddress: ({ q = '', state = '', view, by, tests, hold, case: caseId = '', ...days }) => {
    const names = state.split(',');
    const groups = (Object.keys(STATE_GROUPS) as StateGroup[]).filter((group) => names.includes(group));
    const withTests = tests === 'shown';
    const isScheduled = view === 'scheduled';
    return {
      q: q.trim(),
      groups: isScheduled ? [] : groups,
      isScheduled,
      isMine: by === 'me',
      caseId,
      isKept: hold === 'kept',
      withTests,
      ...daysOf(days),
    };
  },
  toAddress: ({ q, groups, isScheduled, isMine, caseId, isKept, withTests, since, until }) =>
    onlySet({
      q,
      state: groups.join(),
      view: isScheduled && 'scheduled',
      by: isMine && 'me',
      case: caseId,
      hold: isKept && 'kept',
      tests: withTests && 'shown',
      since,
      until,
    }),
};

export const statesOf = (groups: readonly StateGroup[]): DeliveryState[] =>
  groups.flatMap((group) => STATE_GROUPS[group] as readonly DeliveryState[]);

/** The same for the gateway. */
export function queryOf({ q, groups, isScheduled, isMine, caseId, isKept, withTests, ...days }: SentFilter) {
  return {
    ...onlySet({
      q,
      state: statesOf(groups).join(),
      scheduled: isScheduled && 'true',
      created_by: isMine && 'me',
      case_id: caseId,
      legal_hold: isKept && 'true',
      include_test: withTests && 'true',
    }),
    ...timesOf(days),
  };
}

/** Returns the number of faxes under the filter, where the counts by state contain it; null for searches, days and test faxes. */
export function totalOf(filter: SentFilter, counts: Counts | undefined): FaxCount | null {
  const { q, groups, isMine, caseId, isKept, withTests, since, until } = filter;
  if (!counts || withTests || isKept || caseId !== '' || q !== '' || since !== '' || until !== '')
    return null;
  return filter.isScheduled
    ? scheduledOf(counts, isMine)
    : countOf(counts[isMine ? 'mine' : 'all'], statesOf(groups));
}
