import type { ReadDb } from '../../../db/database.ts';

/** Returns the time of the newest received fax, ISO 8601 UTC; null when there is none. */
export async function lastReceivedAt(db: ReadDb): Promise<string | null> {
  const row = await db
    .selectFrom('inbound_fax')
    .select('received_at')
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.received_at ?? null;
}
