import type { ReadDb } from '../../../db/database.ts';

/** Whether any fax was ever delivered. */
export async function hasDelivered(db: ReadDb): Promise<boolean> {
  const row = await db
    .selectFrom('fax_job')
    .select('id')
    .where('delivery_state', '=', 'success')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
