import type { ReadDb } from '../../../db/database.ts';
import type { AttemptOutcome } from '../types.ts';

/** So many ids fit into one question to every database. */
const MOST_IDS = 500;

/** Of these routes those by which an attempt to the country failed in this time (ISO 8601 UTC). Mostly none. */
export async function failedBetween(
  db: ReadDb,
  asked: { routeIds: readonly string[]; country: string; from: string; until: string },
): Promise<string[]> {
  const found: string[] = [];
  for (let first = 0; first < asked.routeIds.length; first += MOST_IDS) {
    const rows = await db
      .selectFrom('attempt_cost')
      .select('route_id')
      .distinct()
      .where('route_id', 'in', asked.routeIds.slice(first, first + MOST_IDS))
      .where('country', '=', asked.country)
      .where('outcome', '=', 'failed')
      .where('ended_at', '>', asked.from)
      .where('ended_at', '<', asked.until)
      .execute();
    found.push(...rows.flatMap(({ route_id }) => route_id ?? []));
  }
  return found;
}

/** What became of the last attempts of a route to a country, the last one first. */
export async function lastOutcomes(
  db: ReadDb,
  { routeId, country, limit }: { routeId: string; country: string; limit: number },
): Promise<{ outcome: AttemptOutcome; ended_at: string }[]> {
  const rows = await db
    .selectFrom('attempt_cost')
    .select(['outcome', 'ended_at'])
    .where('route_id', '=', routeId)
    .where('country', '=', country)
    .where('outcome', 'is not', null)
    .orderBy('ended_at', 'desc')
    .orderBy('attempt_id', 'desc')
    .limit(limit)
    .execute();
  return rows.flatMap(({ outcome, ended_at }) =>
    outcome === null || ended_at === null ? [] : [{ outcome, ended_at }],
  );
}
