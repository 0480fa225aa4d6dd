import type { Database, ReadDb } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Seal } from '../../platform/seal.ts';
import { type ChosenRoute, chooseRoutes, type RoutedFax } from './choose-route.ts';
import { accountOf, type RouteAccount, type RouteProviders } from './route-account.ts';
import { type CachedRoute, createRouteCache } from './route-cache.ts';
import { routesNamed } from './store/route-store.ts';
import { routesTriedLast } from './tried-last.ts';

/** A route by which a fax can go now. */
export interface UsableRoute extends RouteAccount {
  readonly id: string;
  readonly name: string;
  /** Sentence for a person that says which rule chose it. */
  readonly reason: string;
  /** Calls at once; null for as many as the account can make. */
  readonly lines: number | null;
  /** E.164; null for that of the settings. */
  readonly ownNumber: string | null;
  readonly headerName: string | null;
}

/** The routes of a fax, the first one first; none where no route takes its number. */
export type RoutesOfFax = (
  | { readonly routes: readonly UsableRoute[] }
  /** Routes take the number, and none of them can be used: why not, in a sentence. */
  | { readonly refusal: string }
) & {
  /** True when the number is the own number of a route that is on. */
  readonly isOwnNumber: boolean;
};

/** Chooses the routes of a fax. */
export interface RouteChoice {
  routesOf(fax: RoutedFax): Promise<RoutesOfFax>;
  /** Returns the names by id, of the routes that were not removed; of all of them when `ids` is left out. */
  namesOf(db: ReadDb, ids?: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Lists the names of the routes that are on, by priority. */
  enabledNames(): Promise<string[]>;
}

/** Maximum number of routes of a fax: the first, and two more for when it definitely failed by that. */
const MAX_ROUTES = 3;

export function createRouteChoice(parts: {
  readonly db: Database;
  readonly seal: Seal;
  readonly routing: RouteProviders;
  readonly clock: Clock;
}): RouteChoice {
  const cache = createRouteCache(parts);
  /** With no other there is nothing that a route could come after. */
  async function triedLast(rules: readonly CachedRoute[], fax: RoutedFax) {
    if (rules.length < 2) return undefined;
    const usable = chooseRoutes(rules, fax).filter(
      ({ route }) => typeof accountOf(parts, route.row) !== 'string',
    );
    const ids = usable.map(({ route }) => route.id);
    const now = parts.clock.now();
    return routesTriedLast(parts.db.read, ids, { to: fax.to, now, enough: MAX_ROUTES });
  }
  return {
    async routesOf(fax) {
      const { routes, isOwnNumber } = await cache.matchingRoutes(fax);
      const chosen = chooseRoutes(routes, { ...fax, triedLast: await triedLast(routes, fax) });
      return { ...usableOf(parts, chosen), isOwnNumber };
    },
    enabledNames: () => cache.listNames(),
    async namesOf(db, ids) {
      const found = await routesNamed(db, ids);
      return new Map(found.flatMap(({ id, name, removed_at }) => (removed_at === null ? [[id, name]] : [])));
    },
  };
}

function usableOf(
  parts: Parameters<typeof accountOf>[0],
  chosen: readonly ChosenRoute<CachedRoute>[],
): { readonly routes: readonly UsableRoute[] } | { readonly refusal: string } {
  const routes: UsableRoute[] = [];
  const problems: string[] = [];
  for (const { route, reason } of chosen) {
    const { id, name, lines, own_number, header_name, next_allowed } = route.row;
    const found = accountOf(parts, route.row);
    if (typeof found === 'string') {
      problems.push(`Route “${name}” cannot be used now. ${found}`);
      continue;
    }
    const fullReason =
      routes.length === 0 && problems.length > 0 ? `${reason} ${problems.join(' ')}` : reason;
    routes.push({
      id,
      name,
      reason: fullReason,
      lines,
      ownNumber: own_number,
      headerName: header_name,
      ...found,
    });
    if (routes.length === MAX_ROUTES || next_allowed === 0) break;
  }
  return routes.length === 0 && problems.length > 0 ? { refusal: problems.join(' ') } : { routes };
}
