import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { RouteRow } from '../types.ts';

/** Those that were not removed, oldest first. Throws a 400 refusal on a wrong cursor. */
export async function listRoutes(
  db: ReadDb,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: RouteRow[]; next_cursor: string | null }> {
  let query = db.selectFrom('delivery_route').selectAll().where('removed_at', 'is', null);
  if (cursor !== undefined) query = query.where('id', '>', decodeCursor(cursor, 1)[0] ?? '');
  const rows = await query
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, ({ id }) => [id]);
}

export async function findRoute(db: ReadDb, id: string): Promise<RouteRow | undefined> {
  return db.selectFrom('delivery_route').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Also those that were removed. */
export async function routesNamed(
  db: ReadDb,
  ids: readonly string[],
): Promise<Pick<RouteRow, 'id' | 'name' | 'removed_at'>[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('delivery_route')
    .select(['id', 'name', 'removed_at'])
    .where('id', 'in', ids)
    .execute();
}

/** Whether any route takes numbers: asked with much less than which ones. */
export async function takesAny(db: ReadDb): Promise<boolean> {
  const first = await db.selectFrom('delivery_route_prefix').select('route_id').limit(1).executeTakeFirst();
  return first !== undefined;
}

/**
 * The routes that take numbers with one of these beginnings: only those that are on have any. Nothing of the routes themselves is
 * asked, so that no database reads all of them.
 */
export async function routesFor(db: ReadDb, beginnings: readonly string[]): Promise<RouteRow[]> {
  const rows = await db
    .selectFrom('delivery_route_prefix as p')
    .innerJoin('delivery_route as r', 'r.id', 'p.route_id')
    .selectAll('r')
    .where('p.prefix', 'in', beginnings)
    .execute();
  // A route with several of them comes as often.
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

export async function insertRoute(tx: WriteTx, route: RouteRow): Promise<void> {
  await tx.insertInto('delivery_route').values(route).execute();
}

/** False when the route is not at that version, or was removed. */
export async function updateRoute(
  tx: WriteTx,
  { id, version }: Pick<RouteRow, 'id' | 'version'>,
  change: Partial<Omit<RouteRow, 'id' | 'version'>>,
): Promise<boolean> {
  const result = await tx
    .updateTable('delivery_route')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** By which beginnings of numbers the route is found from now on. */
export async function setPrefixes(tx: WriteTx, routeId: string, prefixes: readonly string[]): Promise<void> {
  await tx.deleteFrom('delivery_route_prefix').where('route_id', '=', routeId).execute();
  if (prefixes.length === 0) return;
  await tx
    .insertInto('delivery_route_prefix')
    .values(prefixes.map((prefix) => ({ prefix, route_id: routeId })))
    .execute();
}
