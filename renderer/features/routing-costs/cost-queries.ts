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

/** Returns the costs of the month in the address; of the current month where it names none or a future one. */
export function useMonth(wanted: string, group: CostGroup) {
  const plans = useQuery(plansQuery);
  const cards = useQuery(anyRateCardQuery);
  const thisMonth = plans.data?.month;
  const isPast = thisMonth !== undefined && wanted !== '' && wanted < thisMonth;
  const month = isPast ? wanted : (thisMonth ?? '');
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

export type Month = ReturnType<typeof useMonth>;

export function exportAddress({ group_by, from, to }: Costs): string {
  return openedAddress(`/routing/costs/export?${new URLSearchParams({ format: 'csv', group_by, from, to })}`);
}
