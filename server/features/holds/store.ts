import { sql } from 'kysely';
import type { Capabilities } from '../../db/capabilities.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import { afterCursor, cutPage } from '../../db/keyset.ts';
import { prepareQuery, type ValueOf } from '../../db/prepared-query.ts';
import type { HoldRow } from './types.ts';

const open = prepareQuery((db: ReadDb, _value: ValueOf<Record<string, never>>) =>
  db.selectFrom('legal_hold').selectAll().where('released_at', 'is', null).orderBy('placed_at').orderBy('id'),
);

/**
 * Holds are placed, and faxes removed, one after another, until the end of each transaction. Where one process has the database, its
 * transactions do that already.
 */
export async function lockHolds(tx: WriteTx, { soleProcess }: Capabilities): Promise<void> {
  if (soleProcess) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ' legal holds', 0))`.execute(
    tx,
  );
}

/** Lists the holds that were not released, oldest first. */
export async function listOpen(db: ReadDb): Promise<HoldRow[]> {
  return open(db, {});
}

/** Returns the ids of the faxes that the holds cover by themselves, by hold. */
export async function faxesOfHolds(
  db: ReadDb,
  holdIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const faxes = new Map<string, string[]>();
  if (holdIds.length === 0) return faxes;
  const rows = await db
    .selectFrom('legal_hold_fax')
    .selectAll()
    .where('hold_id', 'in', holdIds)
    .orderBy('hold_id')
    .orderBy('fax_id')
    .execute();
  for (const { hold_id, fax_id } of rows) faxes.set(hold_id, [...(faxes.get(hold_id) ?? []), fax_id]);
  return faxes;
}

/** Counts the faxes that open holds cover by themselves. */
export async function countNamed(db: ReadDb): Promise<number> {
  const { n } = await db
    .selectFrom('legal_hold_fax')
    .innerJoin('legal_hold', 'legal_hold.id', 'legal_hold_fax.hold_id')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('released_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(n);
}

export async function findHold(db: ReadDb, id: string): Promise<HoldRow | undefined> {
  return db.selectFrom('legal_hold').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Lists holds, newest first, keyset-paged on (placed_at, id). Throws a 400 refusal on a wrong cursor. */
export async function listHolds(
  db: ReadDb,
  {
    state,
    limit,
    cursor,
  }: { state?: 'open' | 'released' | undefined; limit: number; cursor?: string | undefined },
): Promise<{ items: HoldRow[]; next_cursor: string | null }> {
  let query = db.selectFrom('legal_hold').selectAll();
  if (state !== undefined) query = query.where('released_at', state === 'open' ? 'is' : 'is not', null);
  if (cursor !== undefined) query = query.where(afterCursor(cursor, 'placed_at', 'id'));
  const rows = await query
    .orderBy('placed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, (row) => [row.placed_at, row.id]);
}

export async function insertHold(tx: WriteTx, row: HoldRow, faxIds: readonly string[]): Promise<void> {
  await tx.insertInto('legal_hold').values(row).execute();
  await addFaxes(tx, row.id, faxIds);
}

/** Adds faxes to a hold, a few hundred at most; those that it has stay as they are. */
export async function addFaxes(tx: WriteTx, holdId: string, faxIds: readonly string[]): Promise<void> {
  if (faxIds.length === 0) return;
  await tx
    .insertInto('legal_hold_fax')
    .values(faxIds.map((fax_id) => ({ hold_id: holdId, fax_id })))
    .onConflict((conflict) => conflict.columns(['hold_id', 'fax_id']).doNothing())
    .execute();
}

/** Records the release. False when the hold changed since `version`. */
export async function markReleased(
  tx: WriteTx,
  { id, version }: Pick<HoldRow, 'id' | 'version'>,
  release: Pick<HoldRow, 'released_at' | 'released_by_id' | 'released_by' | 'release_note'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('legal_hold')
    .set({ ...release, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
