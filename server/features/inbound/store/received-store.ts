import type { ReadDb } from '../../../db/database.ts';

/** When the newest fax came in, ISO 8601 UTC; null when none ever did. */
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
