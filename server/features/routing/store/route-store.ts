import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import { prepareQuery } from '../../../db/prepared-query.ts';
import type { RouteRow } from '../types.ts';

/** Lists the routes that were not removed, oldest first. Throws a 400 refusal on a wrong cursor. */
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

/** Also those that were removed; all of them when `ids` is left out. */
export async function routesNamed(
  db: ReadDb,
  ids?: readonly string[],
): Promise<Pick<RouteRow, 'id' | 'name' | 'removed_at'>[]> {
  if (ids?.length === 0) return [];
  const query = db.selectFrom('delivery_route').select(['id', 'name', 'removed_at']);
  return (ids ? query.where('id', 'in', ids) : query).execute();
}

const sumOfVersions = prepareQuery((db: ReadDb) =>
  db.selectFrom('delivery_route').select((eb) => eb.fn.sum('version').as('versions')),
);

/**
 * Returns a revision that differs after every change of a route, on any gateway: versions only grow, and no route is
 * ever deleted.
 */
export async function revisionOfRoutes(db: ReadDb): Promise<string> {
  const [sum] = await sumOfVersions(db, {});
  return String(sum?.versions ?? 0);
}

/** Lists the routes that are on. */
export async function routesInUse(db: ReadDb): Promise<RouteRow[]> {
  return db
    .selectFrom('delivery_route')
    .selectAll()
    .where('removed_at', 'is', null)
    .where('enabled', '=', 1)
    .execute();
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
