import type { Database } from '../../db/database.ts';
import { prefixesOf, type RoutedFax, type RouteRule } from './choose-route.ts';
import { revisionOfRoutes, routesInUse } from './store/route-store.ts';
import type { RouteRow } from './types.ts';

/** A route that is on, with its row and the rule that chooses it. */
export type CachedRoute = RouteRule & { readonly row: RouteRow };

interface Routes {
  readonly revision: string;
  readonly byId: ReadonlyMap<string, CachedRoute>;
  /** Routes by each prefix; those for all numbers under the empty text. */
  readonly byPrefix: ReadonlyMap<string, readonly CachedRoute[]>;
  readonly ownNumbers: ReadonlySet<string>;
}

/**
 * Cache of the routes that are on. Each read queries the database only for their revision, to notice changes by this or
 * another gateway.
 */
interface RouteCache {
  /**
   * Returns the routes that match the number and the route that its contact prefers, in no particular order.
   * `isOwnNumber` is true when the number is the own number of any route that is on.
   */
  matchingRoutes(
    fax: Pick<RoutedFax, 'to' | 'preferred'>,
  ): Promise<{ readonly routes: readonly CachedRoute[]; readonly isOwnNumber: boolean }>;
  /** Lists the names of all routes that are on, by priority. */
  listNames(): Promise<string[]>;
}

export function createRouteCache({ db }: { readonly db: Database }): RouteCache {
  let routes: Routes | null = null;
  async function currentRoutes(): Promise<Routes> {
    const revision = await revisionOfRoutes(db.read);
    // Routes read after the revision may be newer: then the next revision differs, and they are read again.
    if (routes?.revision !== revision) routes = indexRoutes(revision, await routesInUse(db.read));
    return routes;
  }
  return {
    async listNames() {
      const { byId } = await currentRoutes();
      const inOrder = [...byId.values()].sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
      return inOrder.map(({ name }) => name);
    },
    async matchingRoutes({ to, preferred }) {
      const { byId, byPrefix, ownNumbers } = await currentRoutes();
      if (byId.size === 0) return { routes: [], isOwnNumber: false };
      const preferredRoute = preferred === null ? undefined : byId.get(preferred);
      const matching = prefixesOf(to).flatMap((prefix) => byPrefix.get(prefix) ?? []);
      return {
        routes: [...new Set(preferredRoute ? [preferredRoute, ...matching] : matching)],
        isOwnNumber: ownNumbers.has(to),
      };
    },
  };
}

function indexRoutes(revision: string, rows: readonly RouteRow[]): Routes {
  const routes = rows.map(toCachedRoute);
  const byPrefix = new Map<string, CachedRoute[]>();
  for (const route of routes)
    for (const prefix of route.prefixes.length === 0 ? [''] : route.prefixes)
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), route]);
  const ownNumbers = new Set(rows.flatMap(({ own_number }) => own_number ?? []));
  return { revision, byId: new Map(routes.map((route) => [route.id, route])), byPrefix, ownNumbers };
}

export function toCachedRoute(row: RouteRow): CachedRoute {
  const { id, name, priority } = row;
  const prefixes = JSON.parse(row.prefixes) as string[];
  return { id, name, prefixes, priority, enabled: row.enabled === 1 && row.removed_at === null, row };
}
