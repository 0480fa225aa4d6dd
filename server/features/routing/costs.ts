import type { z } from 'zod';
import type { CostGroup, Costs, ExpensiveNumbers } from '../../../shared/api/routing-costs.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { moneyOf } from '../../../shared/money.ts';
import type { Database, ReadDb } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import { csvLine } from '../../platform/csv.ts';
import { localIsoMonth } from '../../platform/local-days.ts';
import { localIsoDate } from '../../platform/local-time.ts';
import { type Caller, mailboxLabels, principalNames, visibleTo } from '../access/service.ts';
import { wrongSpan } from './errors.ts';
import type { FindContacts } from './port.ts';
import { routesNamed } from './store/route-store.ts';
import { listCostliest, type SumRow, sumsBy } from './store/sum-store.ts';

export interface CostParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly timeZone: () => string | null;
  /** Returns the display name of a backend. */
  readonly nameOf: (backend: string) => string;
  readonly contactsOf: FindContacts;
}

/** Days in the time zone of the installation, both included. */
interface CostRequest {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly group_by: CostGroup;
}

export type CostsAnswer = z.infer<typeof Costs>;
type Sums = CostsAnswer['all'];

const DAY_MS = 24 * 3_600_000;
const MAX_NUMBERS = 10;

/** Sums of attempts by currency, and of how many the cost is unknown. Throws 400 for a span that is empty or too long. */
export async function costs(parts: CostParts, request: CostRequest): Promise<CostsAnswer> {
  const { group_by } = request;
  const today = localIsoDate(parts.clock.now(), parts.timeZone());
  const to = request.to ?? today;
  const from = request.from ?? `${to.slice(0, 7)}-01`;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (days < 0 || days > LIMITS.statisticsDays) throw wrongSpan();
  const sums = await sumsBy(parts.db.read, group_by, { from, to });
  const names = await namesFor(parts, group_by, sums);
  const rows = [...Map.groupBy(sums, ({ key }) => key)].map(([key, ofKey]) => ({
    key: key === '' ? null : key,
    name: key === '' ? null : names(key),
    ...sumRows(ofKey),
  }));
  rows.sort((a, b) => compare(a.name, b.name) || compare(a.key, b.key));
  return { from, to, group_by, all: sumRows(sums), rows };
}

/** Sums the amounts of each currency, and the attempts of known and of unknown cost. */
function sumRows(rows: readonly SumRow[]): Sums {
  const amounts = new Map<string, bigint>();
  let [known, unknown] = [0, 0];
  for (const { currency, amount, attempts } of rows) {
    if (currency === '') unknown += attempts;
    else {
      known += attempts;
      amounts.set(currency, (amounts.get(currency) ?? 0n) + amount);
    }
  }
  const byCode = [...amounts].sort(([a], [b]) => (a < b ? -1 : 1));
  return { amounts: byCode.map(([currency, amount]) => moneyOf(amount, currency)), known, unknown };
}

async function namesFor(
  { db, nameOf }: CostParts,
  by: CostGroup,
  sums: readonly SumRow[],
): Promise<(key: string) => string> {
  const keys = [...new Set(sums.map(({ key }) => key))];
  switch (by) {
    case 'day':
      return (day) => day;
    case 'route': {
      const named = await routesNamed(db.read, keys);
      const names = new Map(named.map(({ id, name }) => [id, name]));
      return (key) => names.get(key) ?? nameOf(key);
    }
    case 'mailbox': {
      const labels = await mailboxLabels(db.read);
      return (id) => labels.get(id) ?? 'A former mailbox';
    }
    case 'person': {
      const names = await namesOf(db.read, keys);
      return (id) => names.get(id) ?? 'A former person';
    }
    case 'country': {
      const countries = new Intl.DisplayNames('en', { type: 'region' });
      return (code) => countries.of(code) ?? code;
    }
    default:
      return by satisfies never;
  }
}

/** Maximum number of ids in one query of any database. */
const MAX_IDS = 500;

async function namesOf(db: ReadDb, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (let from = 0; from < ids.length; from += MAX_IDS)
    for (const [id, name] of await principalNames(db, ids.slice(from, from + MAX_IDS))) names.set(id, name);
  return names;
}

/** Compares two names; null comes last. */
function compare(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a.localeCompare(b, 'en');
}

/** Lists the numbers that cost most in a month (`2026-11`); null for a caller who may not see every sent fax. */
export async function costliestNumbers(
  { db, clock, timeZone, contactsOf }: CostParts,
  caller: Caller,
  wanted: string | undefined,
): Promise<z.infer<typeof ExpensiveNumbers>> {
  const month = wanted ?? localIsoMonth(clock.now(), timeZone());
  if (!visibleTo(caller, 'fax:read').everything) return { month, numbers: null };
  const monthSums = await sumsBy(db.read, 'route', { from: `${month}-01`, to: `${month}-31` });
  const currencies = [...new Set(monthSums.map(({ currency }) => currency))].filter(Boolean).sort();
  const rows = [];
  for (const currency of currencies)
    rows.push(...(await listCostliest(db.read, { month, currency, limit: MAX_NUMBERS })));
  const contacts = await contactsOf(caller, [...new Set(rows.map(({ key }) => key))]);
  const numbers = rows.map(({ key, amount, currency, attempts }) => ({
    number: key,
    contact: contacts.get(key) ?? null,
    ...moneyOf(amount, currency),
    attempts,
  }));
  return { month, numbers };
}

const COLUMNS = ['group', 'key', 'name', 'currency', 'amount', 'attempts'];

/** Formats the costs as CSV (RFC 4180) with a header line; currency and amount are empty where the cost is unknown. */
export function costsAsCsv({ group_by, all, rows }: CostsAnswer): string {
  const lines = [...rows, { key: null, name: 'All together', ...all }].flatMap((row) =>
    linesOf(group_by, row),
  );
  return [csvLine(COLUMNS), ...lines].join('');
}

/**
 * Returns a line for each currency, and one for attempts of unknown cost. With several currencies the attempts of each
 * are not known.
 */
function linesOf(
  by: CostGroup,
  { key, name, amounts, known, unknown }: CostsAnswer['rows'][number],
): string[] {
  const attempts = amounts.length === 1 ? known : null;
  return [
    ...amounts.map(({ amount, currency }) => csvLine([by, key, name, currency, amount, attempts])),
    ...(unknown > 0 ? [csvLine([by, key, name, null, null, unknown])] : []),
  ];
}
