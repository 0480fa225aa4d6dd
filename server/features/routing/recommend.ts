import { dividedHalfUp, formatMoney, type Money, millionthsOf, moneyOf } from '../../../shared/money.ts';

/** Outcomes of the attempts of a route, and their known costs. */
export interface RouteCounts {
  readonly success: number;
  readonly failed: number;
  readonly doubt: number;
  /** Pages of the delivered faxes. */
  readonly pages: number;
  /** One of each currency. */
  readonly amounts: readonly Money[];
  readonly known: number;
  readonly unknown: number;
}

/** Performance of a route to a number. */
export interface RouteStanding {
  readonly backend: string;
  /** Null where no route chose the backend. */
  readonly route_id: string | null;
  readonly name: string;
  readonly days_30: RouteCounts;
  readonly days_90: RouteCounts;
}

interface Recommendation {
  /** Null where none has delivered. */
  readonly backend: string | null;
  readonly route_id: string | null;
  /** One sentence. */
  readonly reason: string;
}

const NONE = { backend: null, route_id: null } as const;

/** Share of delivered attempts below which a route is not recommended for its price: 2 of 3. */
const RELIABLE = { delivered: 2, of: 3 };

/** Returns the cost of a delivered page; null when a cost is unknown, or currencies differ. */
export function costPerPage({ pages, amounts, known, unknown }: RouteCounts): Money | null {
  const [amount, another] = amounts;
  if (amount === undefined || another !== undefined || known === 0 || unknown > 0 || pages === 0) return null;
  const millionths = millionthsOf(amount.amount);
  return millionths === null ? null : moneyOf(dividedHalfUp(millionths, BigInt(pages)), amount.currency);
}

/**
 * Recommends the route with the lowest cost per page among those that delivered at least two of three attempts; where
 * prices cannot be compared, the one that delivers best. Counts the last 30 days, or 90 when nothing was sent in these.
 */
export function recommend(routes: readonly RouteStanding[]): Recommendation {
  const isRecent = routes.some(({ days_30 }) => attemptsOf(days_30) > 0);
  const days = isRecent ? 30 : 90;
  const standings = routes
    .map((route) => ({ route, counts: isRecent ? route.days_30 : route.days_90 }))
    .filter(({ counts }) => attemptsOf(counts) > 0)
    .map((each) => ({ ...each, perPage: costPerPage(each.counts) }));
  if (standings.length === 0)
    return { ...NONE, reason: 'No fax to this number has ended in the last 90 days.' };
  const able = standings.filter(({ counts }) => counts.success > 0);
  const reliable = able.filter(({ counts }) => isReliable(counts));
  const best = bestOf(reliable.length > 0 ? reliable : able);
  if (!best) {
    const failures = standings.map(({ route, counts }) => `${route.name} ${failuresOf(counts)}`).join('; ');
    return { ...NONE, reason: `No route delivered to this number in ${days} days: ${failures}.` };
  }
  const others = standings.filter((each) => each !== best).map((other) => comparedWith(best, other));
  const price = best.perPage === null ? '' : ` and costs ${formatMoney(best.perPage)} a page`;
  const { success } = best.counts;
  const first = `${best.route.name} delivered ${success} of ${attemptsOf(best.counts)} in ${days} days${price}`;
  const { backend, route_id } = best.route;
  return { backend, route_id, reason: `${[first, ...others].join('; ')}.` };
}

interface Standing {
  readonly route: RouteStanding;
  readonly counts: RouteCounts;
  readonly perPage: Money | null;
}

const attemptsOf = ({ success, failed, doubt }: RouteCounts) => success + failed + doubt;

const isReliable = (counts: RouteCounts) =>
  counts.success * RELIABLE.of >= attemptsOf(counts) * RELIABLE.delivered;

function bestOf(standings: readonly Standing[]): Standing | undefined {
  const isComparable = new Set(standings.map(({ perPage }) => perPage?.currency ?? null)).size === 1;
  const byShare = (a: Standing, b: Standing) =>
    b.counts.success * attemptsOf(a.counts) - a.counts.success * attemptsOf(b.counts) ||
    b.counts.success - a.counts.success;
  const byPrice = (a: Standing, b: Standing) => Number(priceOf(a) - priceOf(b));
  const mayCompare = isComparable && standings[0]?.perPage !== null;
  return standings.toSorted((a, b) => (mayCompare ? byPrice(a, b) : 0) || byShare(a, b))[0];
}

const priceOf = ({ perPage }: Standing): bigint => millionthsOf(perPage?.amount ?? '') ?? 0n;

function comparedWith(best: Standing, { route, counts, perPage }: Standing): string {
  if (counts.failed > 0 || counts.doubt > 0) return `${route.name} ${failuresOf(counts)}`;
  const delivered = `${route.name} delivered ${counts.success} of ${attemptsOf(counts)}`;
  if (perPage !== null) return `${delivered} and costs ${formatMoney(perPage)} a page`;
  return best.perPage === null ? delivered : `${delivered} at unknown cost`;
}

function failuresOf(counts: RouteCounts): string {
  const all = attemptsOf(counts);
  const failed = counts.failed > 0 ? [`failed ${counts.failed} of ${all}`] : [];
  const doubt = counts.doubt > 0 ? [`left ${counts.doubt} of ${all} to be confirmed`] : [];
  return [...failed, ...doubt].join(' and ');
}
