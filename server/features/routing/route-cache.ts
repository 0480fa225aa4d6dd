import type { Database } from '../../db/database.ts';
import { prefixesOf, type RoutedFax, type RouteRule } from './choose-route.ts';
import { revisionOfRoutes, routesInUse } from './store/route-store.ts';
import type { RouteRow } from './types.ts';

/** A route that is on, with what decides when it is taken. */
export type CachedRoute = RouteRule & { readonly row: RouteRow };

interface Routes {
  readonly revision: string;
  readonly byId: ReadonlyMap<string, CachedRoute>;
  /** Routes by each prefix; those for all numbers under the empty text. */
  readonly byPrefix: ReadonlyMap<string, readonly CachedRoute[]>;
  readonly ownNumbers: ReadonlySet<string>;
}

/**
 * Cache of the routes that are on: the database is only queried for whether any route was changed since, on this or
 * another gateway.
 */
interface RouteMemory {
  /**
   * Returns the routes that match the number, or that its contact prefers, in no order; `isOwnNumber` is true when the
   * number is the own number of any route.
   */
  matchingRoutes(
    fax: Pick<RoutedFax, 'to' | 'preferred'>,
  ): Promise<{ readonly routes: readonly CachedRoute[]; readonly isOwnNumber: boolean }>;
  /** Lists the names of all routes that are on, by priority. */
  names(): Promise<string[]>;
}

export function createRouteMemory({ db }: { readonly db: Database }): RouteMemory {
  let routes: Routes | null = null;
  async function currentRoutes(): Promise<Routes> {
    const revision = await revisionOfRoutes(db.read);
    // Routes read after the revision may be newer: then the next revision differs, and they are read again.
    if (routes?.revision !== revision) routes = indexed(revision, await routesInUse(db.read));
    return routes;
  }
  return {
    async names() {
      const { byId } = await currentRoutes();
      const inOrder = [...byId.values()].sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
      return inOrder.map(({ name }) => name);
    },
    async matchingRoutes({ to, preferred }) {
      const { byId, byPrefix, ownNumbers } = await currentRoutes();
      if (byId.size === 0) return { routes: [], isOwnNumber: false };
      const wanted = preferred === null ? undefined : byId.get(preferred);
      const found = prefixesOf(to).flatMap((beginning) => byPrefix.get(beginning) ?? []);
      return {
        routes: [...new Set(wanted ? [wanted, ...found] : found)],
        isOwnNumber: ownNumbers.has(to),
      };
    },
  };
}

function indexed(revision: string, rows: readonly RouteRow[]): Routes {
  const routes = rows.map(cachedRoute);
  const byPrefix = new Map<string, CachedRoute[]>();
  for (const route of routes)
    for (const prefix of route.prefixes.length === 0 ? [''] : route.prefixes)
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), route]);
  const ownNumbers = new Set(rows.flatMap(({ own_number }) => own_number ?? []));
  return { revision, byId: new Map(routes.map((route) => [route.id, route])), byPrefix, ownNumbers };
}

export function cachedRoute(row: RouteRow): CachedRoute {
  const { id, name, priority } = row;
  const prefixes = JSON.parse(row.prefixes) as string[];
  return { id, name, prefixes, priority, enabled: row.enabled === 1 && row.removed_at === null, row };
}
