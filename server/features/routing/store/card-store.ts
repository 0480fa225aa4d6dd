import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { CardRow, VersionRow } from '../types.ts';

/** Lists the cards that were not removed, oldest first. Throws a 400 refusal on a wrong cursor. */
export async function listCards(
  db: ReadDb,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: CardRow[]; next_cursor: string | null }> {
  let query = db.selectFrom('rate_card').selectAll().where('removed_at', 'is', null);
  if (cursor !== undefined) query = query.where('id', '>', decodeCursor(cursor, 1)[0] ?? '');
  const rows = await query
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, ({ id }) => [id]);
}

export async function findCard(db: ReadDb, id: string): Promise<CardRow | undefined> {
  return db.selectFrom('rate_card').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Lists every version of these cards, newest first. */
export async function versionsOf(db: ReadDb, ids: readonly string[]): Promise<VersionRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('rate_card_version')
    .selectAll()
    .where('card_id', 'in', ids)
    .orderBy('version', 'desc')
    .execute();
}

/**
 * Lists the versions valid for faxes that begin at `at` (ISO 8601 UTC), and earlier ones, of the cards that were not
 * removed; those of one backend where it is named. `routeId` names a delivery route, and null the cards of all routes;
 * left out, cards of both kinds.
 */
export async function validVersions(
  db: ReadDb,
  { backend, routeId, at }: { backend?: string; routeId?: string | null; at: string },
): Promise<VersionRow[]> {
  let query = db
    .selectFrom('rate_card_version as v')
    .innerJoin('rate_card as c', 'c.id', 'v.card_id')
    .selectAll('v')
    .where('v.valid_from', '<=', at)
    .where('c.removed_at', 'is', null);
  if (backend !== undefined) query = query.where('v.backend', '=', backend);
  if (routeId === null) query = query.where('c.route_id', 'is', null);
  else if (routeId !== undefined) query = query.where('c.route_id', '=', routeId);
  return query.execute();
}

/** Returns the delivery routes of the cards that apply to one route only, by card. */
export async function routesOfCards(db: ReadDb): Promise<Map<string, { id: string; name: string }>> {
  const rows = await db
    .selectFrom('rate_card as c')
    .innerJoin('delivery_route as r', 'r.id', 'c.route_id')
    .select(['c.id as card_id', 'r.id', 'r.name'])
    .where('c.removed_at', 'is', null)
    .execute();
  return new Map(rows.map(({ card_id, id, name }) => [card_id, { id, name }]));
}

/** Returns true when there is a card that was not removed. */
export async function hasCards(db: ReadDb): Promise<boolean> {
  const row = await db
    .selectFrom('rate_card')
    .select('id')
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertCard(tx: WriteTx, card: CardRow): Promise<void> {
  await tx.insertInto('rate_card').values(card).execute();
}

export async function insertVersion(tx: WriteTx, version: VersionRow): Promise<void> {
  await tx.insertInto('rate_card_version').values(version).execute();
}

/** Changes a card. Returns false when it is not at that version, or was removed. */
export async function changeCard(
  tx: WriteTx,
  { id, version }: Pick<CardRow, 'id' | 'version'>,
  change: Partial<Pick<CardRow, 'version' | 'removed_at'>>,
): Promise<boolean> {
  const result = await tx
    .updateTable('rate_card')
    .set(change)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The numbers that a card claims from now on. Breaks a unique key where another card has some of them. */
export async function claimPrefixes(
  tx: WriteTx,
  { id, backend, route_id }: Pick<CardRow, 'id' | 'backend' | 'route_id'>,
  prefixes: readonly string[],
): Promise<void> {
  await tx.deleteFrom('rate_card_prefix').where('card_id', '=', id).execute();
  if (prefixes.length === 0) return;
  await tx
    .insertInto('rate_card_prefix')
    .values(prefixes.map((prefix) => ({ backend, route_id: route_id ?? '', prefix, card_id: id })))
    .execute();
}
