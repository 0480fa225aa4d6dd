import type { Database, ReadDb } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Seal } from '../../platform/seal.ts';
import { routesAskedLast } from './asked-last.ts';
import { beginningsOf, chooseRoutes, type RoutedFax, type RouteRule } from './choose-route.ts';
import { accountOf, type KnownProviders, type RouteAccount } from './route-account.ts';
import { findRoute, routesFor, routesNamed, takesAny } from './store/route-store.ts';
import type { RouteRow } from './types.ts';

/** A route by which a fax can go now. */
export interface UsableRoute extends RouteAccount {
  readonly id: string;
  readonly name: string;
  /** For a person: which rule chose it. */
  readonly reason: string;
  /** Calls at once; null for as many as the account can make. */
  readonly lines: number | null;
  /** E.164; null for that of the settings. */
  readonly ownNumber: string | null;
  readonly headerName: string | null;
}

/** The routes of a fax, the first one first; none where no route takes its number. */
export type RoutesOfFax =
  | { readonly routes: readonly UsableRoute[] }
  /** Routes take the number, and none of them can be used: why not, in a sentence. */
  | { readonly refusal: string };

/** Which routes a fax takes. */
export interface RouteChoice {
  routesOf(fax: RoutedFax): Promise<RoutesOfFax>;
  /** By id, of those that were not removed. */
  namesOf(db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The first one, and two more for a fax that definitely failed by it. */
const MOST_ROUTES = 3;

export function createRouteChoice(parts: {
  readonly db: Database;
  readonly seal: Seal;
  readonly routing: KnownProviders;
  readonly clock: Clock;
}): RouteChoice {
  /** With no other there is nothing that a route could come after. */
  async function askedLast(rows: readonly RouteRow[], { to }: RoutedFax) {
    if (rows.length < 2) return undefined;
    const ids = rows.map(({ id }) => id);
    return routesAskedLast(parts.db.read, ids, { to, now: parts.clock.now() });
  }
  return {
    async routesOf(fax) {
      const { read } = parts.db;
      // Most installations have none.
      const fitting = (await takesAny(read)) ? await routesFor(read, beginningsOf(fax.to)) : [];
      const rows = [...fitting, ...(await preferredOf(parts, fitting, fax))];
      return usableOf(
        parts,
        chooseRoutes(rows.map(ruleOf), { ...fax, askedLast: await askedLast(rows, fax) }),
      );
    },
    async namesOf(db, ids) {
      const found = await routesNamed(db, ids);
      return new Map(found.flatMap(({ id, name, removed_at }) => (removed_at === null ? [[id, name]] : [])));
    },
  };
}

/** The route that the contact names, where its prefixes do not find it. */
async function preferredOf(
  { db }: { readonly db: Database },
  rows: readonly RouteRow[],
  { preferred }: RoutedFax,
): Promise<RouteRow[]> {
  if (preferred === null || rows.some(({ id }) => id === preferred)) return [];
  const row = await findRoute(db.read, preferred);
  return row ? [row] : [];
}

/** What of a stored route decides when it is taken, beside the route itself. */
export function ruleOf(row: RouteRow): RouteRule & { readonly row: RouteRow } {
  const { id, name, priority } = row;
  const prefixes = JSON.parse(row.prefixes) as string[];
  return { id, name, prefixes, priority, enabled: row.enabled === 1 && row.removed_at === null, row };
}

function usableOf(
  parts: Parameters<typeof accountOf>[0],
  chosen: ReturnType<typeof chooseRoutes<ReturnType<typeof ruleOf>>>,
): RoutesOfFax {
  const routes: UsableRoute[] = [];
  const problems: string[] = [];
  for (const { route, reason } of chosen) {
    const { id, name, lines, own_number, header_name, next_allowed } = route.row;
    const found = accountOf(parts, route.row);
    if (typeof found === 'string') {
      problems.push(`Route “${name}” cannot be used now. ${found}`);
      continue;
    }
    const why = routes.length === 0 && problems.length > 0 ? `${reason} ${problems.join(' ')}` : reason;
    routes.push({ id, name, reason: why, lines, ownNumber: own_number, headerName: header_name, ...found });
    if (routes.length === MOST_ROUTES || next_allowed === 0) break;
  }
  return routes.length === 0 && problems.length > 0 ? { refusal: problems.join(' ') } : { routes };
}
