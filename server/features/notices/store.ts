import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { DeprecatedUse } from './types.ts';

/** Records a use, or renews the time of the last one. */
export async function saveUse(tx: WriteTx, use: Omit<DeprecatedUse, 'firstAt'>): Promise<void> {
  const { subject, userId, userName, lastAt } = use;
  await tx
    .insertInto('deprecated_use')
    .values({ subject, user_id: userId, user_name: userName, first_at: lastAt, last_at: lastAt })
    .onConflict((conflict) =>
      conflict.columns(['subject', 'user_id']).doUpdateSet({ user_name: userName, last_at: lastAt }),
    )
    .execute();
}

/** Lists the uses since a time, last use first. */
export async function usesSince(db: ReadDb, since: string): Promise<DeprecatedUse[]> {
  const rows = await db
    .selectFrom('deprecated_use')
    .selectAll()
    .where('last_at', '>=', since)
    .orderBy('last_at', 'desc')
    .orderBy('user_id')
    .execute();
  return rows.map((row) => ({
    subject: row.subject,
    userId: row.user_id,
    userName: row.user_name,
    firstAt: row.first_at,
    lastAt: row.last_at,
  }));
}
