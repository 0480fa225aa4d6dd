import type { z } from 'zod';
import type { Destination } from '../../../shared/api/routing-destinations.ts';
import { moneyOf } from '../../../shared/money.ts';
import type { Database } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { countryOf, requestedNumber } from '../../platform/phone-number.ts';
import { type Caller, scopeOf } from '../access/service.ts';
import { badNumber } from './errors.ts';
import { storedMillionths } from './estimate.ts';
import { costPerPage, type RouteCounts, type RouteStanding, recommend } from './recommend.ts';
import {
  type AttemptScope,
  type CountedAttempts,
  countAttempts,
  listNumbers,
} from './store/destination-store.ts';
import { routesNamed } from './store/route-store.ts';

export interface DestinationParts {
  readonly db: Database;
  readonly clock: Clock;
  /** The default country of numbers. */
  readonly country: () => string;
  /** Returns the display name of a backend. */
  readonly nameOf: (backend: string) => string;
}

type DestinationAnswer = z.infer<typeof Destination>;

const DAY_MS = 24 * 3_600_000;

/** Lists the numbers of the last 90 days in their order, keyset-paged. Throws a 400 refusal on a wrong cursor. */
export async function destinations(
  parts: DestinationParts,
  caller: Caller,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ items: DestinationAnswer[]; next_cursor: string | null }> {
  const since = daysAgo(parts.clock, 90);
  const { items, next_cursor } = await listNumbers(parts.db.read, scopeOfAttempts(caller), {
    ...page,
    since,
  });
  const numbers = items.map(({ to_number }) => to_number);
  return { items: await destinationsOf(parts, caller, numbers), next_cursor };
}

/** Returns one number, as typed. Throws 400 when it is not a fax number. */
export async function destination(
  parts: DestinationParts,
  caller: Caller,
  typed: string,
): Promise<DestinationAnswer> {
  const number = requestedNumber(typed, parts.country());
  if (number === null) throw badNumber();
  const [found] = await destinationsOf(parts, caller, [number]);
  return found as DestinationAnswer;
}

async function destinationsOf(
  parts: DestinationParts,
  caller: Caller,
  numbers: readonly string[],
): Promise<DestinationAnswer[]> {
  const { db, clock, nameOf } = parts;
  const span = { numbers, since: daysAgo(clock, 90), recent: daysAgo(clock, 30) };
  const counted = await countAttempts(db.read, scopeOfAttempts(caller), span);
  const named = await routesNamed(db.read, [...new Set(counted.flatMap(({ route_id }) => route_id ?? []))]);
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const nameOfRoute = ({ backend, route_id }: CountedAttempts) =>
    names.get(route_id ?? '') ?? nameOf(backend);
  const byNumber = Map.groupBy(counted, ({ to_number }) => to_number);
  return numbers.map((number) => {
    const rows = byNumber.get(number) ?? [];
    const routes = [...Map.groupBy(rows, ({ backend, route_id }) => route_id ?? backend).values()]
      .map((ofRoute) => standingOf(nameOfRoute, ofRoute))
      .sort(compareUse);
    const times = rows.map(({ last_at }) => last_at).sort();
    return {
      number,
      country: countryOf(number),
      last_at: times.at(-1) ?? null,
      routes: routes.map((route) => ({ ...route, per_page: costPerPage(route.days_90) })),
      recommendation: recommend(routes),
    };
  });
}

type Standing = RouteStanding & {
  readonly [Days in 'days_30' | 'days_90']: DestinationAnswer['routes'][number][Days];
};

function standingOf(nameOf: (row: CountedAttempts) => string, rows: readonly CountedAttempts[]): Standing {
  const [first] = rows as [CountedAttempts];
  const { backend, route_id } = first;
  const days_30 = countsOf(rows.filter(({ is_recent }) => is_recent));
  return { backend, route_id, name: nameOf(first), days_30, days_90: countsOf(rows) };
}

function countsOf(rows: readonly CountedAttempts[]): Standing['days_30'] {
  const counts = { success: 0, failed: 0, doubt: 0, pages: 0, known: 0, unknown: 0 };
  const amounts = new Map<string, bigint>();
  for (const { outcome, attempts, pages, charged, charged_currency: currency, is_void } of rows) {
    counts[outcome] += attempts;
    if (outcome === 'success') counts.pages += pages;
    if (is_void) continue;
    if (charged === null || currency === null) {
      counts.unknown += attempts;
      continue;
    }
    counts.known += attempts;
    const amount = storedMillionths(charged) * BigInt(attempts);
    amounts.set(currency, (amounts.get(currency) ?? 0n) + amount);
  }
  const byCode = [...amounts].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...counts, amounts: byCode.map(([currency, amount]) => moneyOf(amount, currency)) };
}

const attemptsOf = ({ success, failed, doubt }: RouteCounts) => success + failed + doubt;

function compareUse(a: RouteStanding, b: RouteStanding): number {
  return (
    attemptsOf(b.days_90) - attemptsOf(a.days_90) ||
    ((a.route_id ?? a.backend) < (b.route_id ?? b.backend) ? -1 : 1)
  );
}

const daysAgo = (clock: Clock, days: number): string => isoTime(clock.now() - days * DAY_MS);

/** Null is everything. */
function scopeOfAttempts(caller: Caller): AttemptScope | null {
  const { everything, mailboxIds, ownMailboxIds } = scopeOf(caller, 'fax:read');
  return everything ? null : { personId: caller.principal.id, ownMailboxIds, mailboxIds };
}
