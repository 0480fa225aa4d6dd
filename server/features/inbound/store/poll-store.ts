import type { ReadDb, WriteTx } from '../../../db/database.ts';

export async function lastPoll(db: ReadDb, account: string): Promise<string | null> {
  const row = await db
    .selectFrom('inbound_look')
    .select('looked_at')
    .where('provider_account', '=', account)
    .executeTakeFirst();
  return row?.looked_at ?? null;
}

export async function savePoll(tx: WriteTx, account: string, at: string): Promise<void> {
  await tx
    .insertInto('inbound_look')
    .values({ provider_account: account, looked_at: at })
    .onConflict((conflict) => conflict.column('provider_account').doUpdateSet({ looked_at: at }))
    .execute();
}
