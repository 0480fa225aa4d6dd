import type { ReadDb } from '../../../db/database.ts';
import type { AttemptOutcome } from '../types.ts';

interface RouteOutcome {
  readonly route_id: string;
  readonly outcome: AttemptOutcome;
  /** ISO 8601 UTC. */
  readonly ended_at: string;
}

/**
 * Lists the outcomes of the last attempts of each of these routes to a country, the last one of a route first. Each
 * route has a query of its own, so that no more than `limit` attempts of it are read, however many there were lately.
 */
export async function lastOutcomes(
  db: ReadDb,
  { routeIds, country, limit }: { routeIds: readonly string[]; country: string; limit: number },
): Promise<RouteOutcome[]> {
  const [first, ...others] = routeIds.map((routeId) => lastOf(db, { routeId, country, limit }));
  if (!first) return [];
  const rows = await others.reduce((all, one) => all.unionAll(one), first).execute();
  return rows.flatMap(({ route_id, outcome, ended_at }) =>
    route_id === null || outcome === null || ended_at === null ? [] : [{ route_id, outcome, ended_at }],
  );
}

const lastOf = (db: ReadDb, asked: { routeId: string; country: string; limit: number }) =>
  db
    .selectFrom(
      db
        .selectFrom('attempt_cost')
        .select(['route_id', 'outcome', 'ended_at'])
        .where('route_id', '=', asked.routeId)
        .where('country', '=', asked.country)
        .where('ended_at', 'is not', null)
        .where('outcome', 'is not', null)
        .orderBy('ended_at', 'desc')
        .orderBy('attempt_id', 'desc')
        .limit(asked.limit)
        .as('last'),
    )
    .select(['last.route_id', 'last.outcome', 'last.ended_at']);
