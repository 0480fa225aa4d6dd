import type { CostGroup } from '../../../shared/api/routing-costs.ts';
import { millionthsOf } from '../../../shared/money.ts';
import { t } from '../../texts/costs.ts';
import { countryName } from '../../ui/format.ts';
import type { Costs, Sums } from './cost-queries.ts';
import { daysBetween, weekdayName } from './months.ts';

export interface CostRow {
  readonly id: string;
  readonly name: string;
  readonly now: Sums;
  readonly before: Sums;
}

const NO_SUMS: Sums = { amounts: [], known: 0, unknown: 0 };

/** The currencies of some sums, by their codes. */
export const currenciesOf = (sums: readonly Sums[]): string[] =>
  [...new Set(sums.flatMap(({ amounts }) => amounts.map(({ currency }) => currency)))].sort();

export const amountIn = ({ amounts }: Sums, currency: string): string | null =>
  amounts.find((each) => each.currency === currency)?.amount ?? null;

/** Returns the amount in millionths; 0 where there is none in the currency. */
export const sizeIn = (sums: Sums, currency: string): bigint =>
  millionthsOf(amountIn(sums, currency) ?? '0') ?? 0n;

/** A row for every day from the first with a fax; of anything else one for what either month has, the dearest first. */
export function costRows(now: Costs, before: Costs | undefined): CostRow[] {
  const { group_by } = now;
  if (group_by === 'day') {
    const byDay = new Map(now.rows.map((row) => [row.key, row]));
    const days = daysBetween(now.from, now.to);
    const first = days.findIndex((day) => byDay.has(day));
    return days.slice(first === -1 ? days.length : first).map((day) => ({
      id: day,
      name: weekdayName(day),
      now: byDay.get(day) ?? NO_SUMS,
      before: NO_SUMS,
    }));
  }
  const then = before?.group_by === group_by ? before.rows : [];
  const keys = new Map([...then, ...now.rows].map(({ key, name }) => [key, name]));
  const rows = [...keys].map(([key, name]) => ({
    id: key ?? '',
    name: nameOf(group_by, key, name),
    now: now.rows.find((row) => row.key === key) ?? NO_SUMS,
    before: then.find((row) => row.key === key) ?? NO_SUMS,
  }));
  const currencies = currenciesOf([now.all, ...then]);
  return rows.sort((a, b) => byAmount(a, b, currencies) || a.name.localeCompare(b.name));
}

function nameOf(group: CostGroup, key: string | null, name: string | null): string {
  if (key === null || name === null) return t.costs.month.none[group];
  return group === 'country' ? countryName(key) : name;
}

/** By the first currency in which they differ: this month, then the one before. */
function byAmount(a: CostRow, b: CostRow, currencies: readonly string[]): number {
  for (const month of ['now', 'before'] as const)
    for (const currency of currencies) {
      const difference = sizeIn(b[month], currency) - sizeIn(a[month], currency);
      if (difference !== 0n) return difference > 0n ? 1 : -1;
    }
  return 0;
}

/** Returns the length of a bar, from 0 to 100; any amount above 0 gets a visible bar. */
export function share(size: bigint, most: bigint): number {
  if (size <= 0n || most <= 0n) return 0;
  return Math.max(Number((size * 1000n) / most) / 10, 0.5);
}
