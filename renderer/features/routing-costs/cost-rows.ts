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
  /** Sums of the month before; empty in the rows of days. */
  readonly before: Sums;
}

const NO_SUMS: Sums = { amounts: [], known: 0, unknown: 0 };

/** Lists the currency codes in the sums, each once, in alphabetical order. */
export const currenciesOf = (sums: readonly Sums[]): string[] =>
  [...new Set(sums.flatMap(({ amounts }) => amounts.map(({ currency }) => currency)))].sort();

/** Returns the amount in the currency as a decimal, or null where there is none. */
export const amountIn = ({ amounts }: Sums, currency: string): string | null =>
  amounts.find((each) => each.currency === currency)?.amount ?? null;

/** Returns the amount in the currency in millionths, 0 where there is none. */
export const millionthsIn = (sums: Sums, currency: string): bigint =>
  millionthsOf(amountIn(sums, currency) ?? '0') ?? 0n;

/** Returns a row for each day of the month, or for each group with costs in this month or the one before. */
export function costRows(now: Costs, before: Costs | undefined): CostRow[] {
  return now.group_by === 'day' ? dayRows(now) : groupRows(now, before);
}

/** Returns the days from the first with a fax on, including those without one. */
function dayRows({ rows, from, to }: Costs): CostRow[] {
  const byDay = new Map(rows.map((row) => [row.key, row]));
  const days = daysBetween(from, to);
  const first = days.findIndex((day) => byDay.has(day));
  return days.slice(first === -1 ? days.length : first).map((day) => ({
    id: day,
    name: weekdayName(day),
    now: byDay.get(day) ?? NO_SUMS,
    before: NO_SUMS,
  }));
}

/** Returns the groups of both months, highest amount first. */
function groupRows(now: Costs, before: Costs | undefined): CostRow[] {
  const { group_by } = now;
  const rowsBefore = before?.group_by === group_by ? before.rows : [];
  const keys = new Map([...rowsBefore, ...now.rows].map(({ key, name }) => [key, name]));
  const rows = [...keys].map(([key, name]) => ({
    id: key ?? '',
    name: nameOf(group_by, key, name),
    now: now.rows.find((row) => row.key === key) ?? NO_SUMS,
    before: rowsBefore.find((row) => row.key === key) ?? NO_SUMS,
  }));
  const currencies = currenciesOf([now.all, ...rowsBefore]);
  return rows.sort((a, b) => compareAmounts(a, b, currencies) || a.name.localeCompare(b.name));
}

function nameOf(group: CostGroup, key: string | null, name: string | null): string {
  if (key === null || name === null) return t.costs.month.none[group];
  return group === 'country' ? countryName(key) : name;
}

/** Compares the amounts of this month in each currency, then those of the month before, highest first. */
function compareAmounts(a: CostRow, b: CostRow, currencies: readonly string[]): number {
  for (const month of ['now', 'before'] as const)
    for (const currency of currencies) {
      const difference = millionthsIn(b[month], currency) - millionthsIn(a[month], currency);
      if (difference !== 0n) return difference > 0n ? 1 : -1;
    }
  return 0;
}

/** Returns the length of a bar in percent of the longest; any amount above 0 gets a visible bar. */
export function barLength(amount: bigint, highest: bigint): number {
  if (amount <= 0n || highest <= 0n) return 0;
  return Math.max(Number((amount * 1000n) / highest) / 10, 0.5);
}
