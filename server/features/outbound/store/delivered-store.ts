import type { ReadDb } from '../../../db/database.ts';

/**
 * Returns the end of the newest fax delivered elsewhere, ISO 8601 UTC; null when there is none. Internal deliveries are
 * left out because they prove nothing about the transports.
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
