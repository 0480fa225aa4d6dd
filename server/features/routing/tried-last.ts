import type { ReadDb } from '../../db/database.ts';
import { epochOf } from '../../platform/clock.ts';
import { countryOf } from '../../platform/phone-number.ts';
import { lastOutcomes } from './store/standing-store.ts';
import type { AttemptOutcome } from './types.ts';

/** Number of a route's last attempts to a country that are checked, and the number of failures that is too many. */
const CHECKED_ATTEMPTS = 5;
const FAILURE_THRESHOLD = 3;
/** Time after the last failure at which the route is given another chance. */
const TRIED_LAST_MS = 30 * 60_000;

/** An attempt that has ended. */
interface EndedAttempt {
  readonly outcome: AttemptOutcome;
  /** ISO 8601 UTC. */
  readonly ended_at: string;
}

/**
 * Returns a sentence that says why a route is tried last; null while it is not. `last`: its last attempts to the
 * country. Pure.
 */
export function reasonTriedLast(
  last: readonly EndedAttempt[],
  { country, now }: { readonly country: string | null; readonly now: number },
): string | null {
  const failed = last.filter(({ outcome }) => outcome === 'failed');
  // A clock that was set back leaves failures in the future, which are not waited for.
  const isRecent = failed.some(({ ended_at }) => Math.abs(now - epochOf(ended_at)) < TRIED_LAST_MS);
  if (failed.length < FAILURE_THRESHOLD || !isRecent) return null;
  const to = country === null ? 'there' : `to ${nameOf(country)}`;
  return `It is tried last for 30 minutes, because ${failed.length} of its last ${last.length} attempts ${to} failed.`;
}

function nameOf(country: string): string {
  return new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country;
}

/** Routes per query: mostly the first few are enough. */
const AT_ONCE = 3;

/**
 * Returns the routes that are tried last for a number (E.164) at a time (epoch milliseconds), each with a sentence that
 * says why. `routeIds` are in the order in which they are tried. Routes after the first `enough` that are not tried
 * last are not queried.
 */
export async function routesTriedLast(
  db: ReadDb,
  routeIds: readonly string[],
  { to, now, enough }: { readonly to: string; readonly now: number; readonly enough: number },
): Promise<ReadonlyMap<string, string>> {
  const country = countryOf(to);
  const found = new Map<string, string>();
  for (let first = 0; first < routeIds.length && first - found.size < enough; first += AT_ONCE) {
    const checked = routeIds.slice(first, first + AT_ONCE);
    const ended = await lastOutcomes(db, {
      routeIds: checked,
      country: country ?? '',
      limit: CHECKED_ATTEMPTS,
    });
    for (const [routeId, last] of Map.groupBy(ended, ({ route_id }) => route_id)) {
      const reason = reasonTriedLast(last, { country, now });
      if (reason !== null) found.set(routeId, reason);
    }
  }
  return found;
}
