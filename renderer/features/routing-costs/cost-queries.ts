import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { CostGroup } from '../../../shared/api/routing-costs.ts';
import { costs } from '../../api/costs.ts';
import { openedAddress } from '../../api/page-token.ts';
import { anyRateCardQuery } from '../../api/rate-cards.ts';
import { daysOfMonth, monthPlus, upToDay } from './months.ts';

export type Costs = Awaited<ReturnType<typeof costs.costs>>;
export type Sums = Costs['all'];
export type Plans = Awaited<ReturnType<typeof costs.plans>>;
export type ExpensiveNumber = NonNullable<Awaited<ReturnType<typeof costs.dearNumbers>>['numbers']>[number];

/** Amounts have no events, and a provider may report them days later. */
const ASKED_AGAIN = { refetchOnMount: 'always', refetchOnWindowFocus: 'always' } as const;

const plansQuery = queryOptions({
  queryKey: ['costs', 'plans'],
  queryFn: ({ signal }) => costs.plans({ signal }),
  ...ASKED_AGAIN,
});

/** The days, both included; where they are left out, from the first of this month to today. */
function sumsQuery(group_by: CostGroup, days: { from?: string; to?: string }) {
  const query = { group_by, ...days };
  return queryOptions({
    queryKey: ['costs', 'sums', query],
    queryFn: ({ signal }) => costs.costs({ query, signal }),
    placeholderData: keepPreviousData,
    ...ASKED_AGAIN,
  });
}

/**
 * Returns the costs of the month in the address; of the current month where it names a future one. Without one in the
 * address, the month before is shown until a fax of this month has a cost.
 */
export function useMonth(wanted: string, group: CostGroup) {
  const plans = useQuery(plansQuery);
  const cards = useQuery(anyRateCardQuery);
  const thisMonth = plans.data?.month;
  const latest = useLatestMonth(thisMonth, wanted === '');
  const asked = wanted === '' ? latest : wanted;
  const isPast = thisMonth !== undefined && asked !== undefined && asked < thisMonth;
  const month = asked === undefined ? '' : isPast ? asked : (thisMonth ?? '');
  const before = month && monthPlus(month, -1);
  const enabled = month !== '';
  const sums = useQuery({ ...sumsQuery(group, isPast ? daysOfMonth(month) : {}), enabled });
  const sumsBefore = useQuery({ ...sumsQuery(group, enabled ? daysOfMonth(before) : {}), enabled });
  const today = !isPast && sums.data?.from.startsWith(month) ? sums.data.to : null;
  const byToday = useQuery({
    ...sumsQuery('route', today === null ? {} : upToDay(before, today)),
    enabled: today !== null,
  });
  const dear = useQuery({
    queryKey: ['costs', 'numbers', month],
    queryFn: ({ signal }) => costs.dearNumbers({ query: { month }, signal }),
    placeholderData: keepPreviousData,
    ...ASKED_AGAIN,
    enabled,
  });
  const all = [plans, cards, sums, sumsBefore, dear];
  return {
    month,
    before,
    isPast,
    plans,
    hasCards: cards.data,
    sums: sums.data,
    sumsBefore: sumsBefore.data,
    byToday: today === null ? undefined : byToday.data,
    dear: dear.data,
    failed: all.find(({ error }) => error !== null),
    look: () => void Promise.all([...all, byToday].map((query) => query.refetch())),
  };
}

/** Returns this month, or the one before while only that has faxes; undefined until it is known. */
function useLatestMonth(thisMonth: string | undefined, isOn: boolean): string | undefined {
  const enabled = isOn && thisMonth !== undefined;
  const now = useQuery({ ...sumsQuery('route', {}), enabled });
  const days = thisMonth === undefined ? {} : daysOfMonth(monthPlus(thisMonth, -1));
  const before = useQuery({ ...sumsQuery('route', days), enabled });
  if (now.error !== null || before.error !== null) return thisMonth;
  if (thisMonth === undefined || now.data === undefined || before.data === undefined) return undefined;
  if (before.isPlaceholderData) return undefined;
  const isEmpty = ({ all }: Costs) => all.known + all.unknown === 0;
  return isEmpty(now.data) && !isEmpty(before.data) ? monthPlus(thisMonth, -1) : thisMonth;
}

export type Month = ReturnType<typeof useMonth>;

export function exportAddress({ group_by, from, to }: Costs): string {
  return openedAddress(`/routing/costs/export?${new URLSearchParams({ format: 'csv', group_by, from, to })}`);
}
