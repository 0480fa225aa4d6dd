import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { SummaryRow } from './types.ts';

/** False when the day has one already. */
export async function insertDay(tx: WriteTx, row: SummaryRow): Promise<boolean> {
  const result = await tx
    .insertInto('summary_day')
    .values(row)
    .onConflict((conflict) => conflict.column('day').doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function findDay(db: ReadDb, day: string): Promise<SummaryRow | undefined> {
  return db.selectFrom('summary_day').selectAll().where('day', '=', day).executeTakeFirst();
}

/** Newest first. */
export async function newestDays(db: ReadDb, limit: number): Promise<SummaryRow[]> {
  return db.selectFrom('summary_day').selectAll().orderBy('day', 'desc').limit(limit).execute();
}

/** Returns true when a day has one, or a later day until `today` does: those after today come from a wrong clock. */
export async function hasSince(db: ReadDb, day: string, today: string): Promise<boolean> {
  const found = await db
    .selectFrom('summary_day')
    .select('day')
    .where('day', '>=', day)
    .where((eb) => eb.or([eb('day', '=', day), eb('day', '<=', today)]))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Lists the begun summaries that have not ended, oldest first. */
export async function openDays(db: ReadDb): Promise<SummaryRow[]> {
  return db
    .selectFrom('summary_day')
    .selectAll()
    .where('state', 'in', ['waiting', 'sending'])
    .orderBy('day')
    .execute();
}

/** False when it was changed meanwhile. */
export async function changeDay(
  tx: WriteTx,
  { day, version }: Pick<SummaryRow, 'day' | 'version'>,
  changes: Partial<Omit<SummaryRow, 'day' | 'version'>> & { updated_at: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('summary_day')
    .set({ ...changes, version: version + 1 })
    .where('day', '=', day)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
