import type { ReadDb } from '../../../db/database.ts';

/**
 * When the newest of the faxes that were delivered elsewhere came to its end, ISO 8601 UTC; null when none ever was. One to our
 * own number proves nothing of the way out.
 */
export async function lastDeliveredAt(db: ReadDb): Promise<string | null> {
  const row = await db
    .selectFrom('fax_job')
    .select('updated_at')
    .where('delivery_state', '=', 'success')
    .where((eb) => eb.or([eb('delivered_by', 'is', null), eb('delivered_by', '!=', 'internal')]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.updated_at ?? null;
}
