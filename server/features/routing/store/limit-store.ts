import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { SpendingLimitTable } from '../../../db/schema/routing.ts';

export type OwnLimitRow = SpendingLimitTable;

export async function findOwnLimit(db: ReadDb, principalId: string): Promise<OwnLimitRow | undefined> {
  return db
    .selectFrom('spending_limit')
    .selectAll()
    .where('principal_id', '=', principalId)
    .executeTakeFirst();
}

/** Lists the limits in force, by principal. Throws a 400 refusal on a wrong cursor. */
export async function listOwnLimits(
  db: ReadDb,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: OwnLimitRow[]; next_cursor: string | null }> {
  let query = db
    .selectFrom('spending_limit')
    .selectAll()
    .where((eb) => eb.or([eb('per_day', 'is not', null), eb('per_month', 'is not', null)]));
  if (cursor !== undefined) query = query.where('principal_id', '>', decodeCursor(cursor, 1)[0] ?? '');
  const rows = await query
    .orderBy('principal_id')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, ({ principal_id }) => [principal_id]);
}

/** Stores a limit in place of version `before`, 0 for none. False when another change came first. */
export async function putOwnLimit(tx: WriteTx, row: OwnLimitRow, before: number): Promise<boolean> {
  if (before === 0) {
    const result = await tx
      .insertInto('spending_limit')
      .values(row)
      .onConflict((conflict) => conflict.column('principal_id').doNothing())
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
  const { principal_id, ...change } = row;
  const result = await tx
    .updateTable('spending_limit')
    .set(change)
    .where('principal_id', '=', principal_id)
    .where('version', '=', before)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
