import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { PendingSignInTable } from '../../../db/schema/access.ts';

/** Count of password entries without the second factor, with the time and address of the last. */
export interface PasswordEntries {
  readonly count: number;
  readonly last_at: string;
  readonly last_address: string;
}

/** Finds the pending sign-in of a browser, if it has not ended by `now`. */
export async function findPending(
  db: ReadDb,
  tokenHash: string,
  now: string,
): Promise<PendingSignInTable | null> {
  const row = await db
    .selectFrom('pending_sign_in')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

/** Counts one more entry in a pending sign-in. False when this person has no unexpired one with that token. */
export async function repeatPending(
  tx: WriteTx,
  entry: { tokenHash: string; principalId: string; address: string; now: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('pending_sign_in')
    .set((eb) => ({ count: eb('count', '+', 1), last_at: entry.now, last_address: entry.address }))
    .where('token_hash', '=', entry.tokenHash)
    .where('principal_id', '=', entry.principalId)
    .where('expires_at', '>', entry.now)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function insertPending(tx: WriteTx, row: PendingSignInTable): Promise<void> {
  await tx.insertInto('pending_sign_in').values(row).execute();
}

/** The sign-in was finished: its entries were the person's own. */
export async function endPending(tx: WriteTx, tokenHash: string, principalId: string): Promise<void> {
  await tx
    .deleteFrom('pending_sign_in')
    .where('token_hash', '=', tokenHash)
    .where('principal_id', '=', principalId)
    .execute();
}

/** Moves sign-ins that expired by `now` to the unfinished ones that the person is shown. */
export async function keepUnfinished(tx: WriteTx, principalId: string, now: string): Promise<void> {
  const ended = await tx
    .deleteFrom('pending_sign_in')
    .where('principal_id', '=', principalId)
    .where('expires_at', '<=', now)
    .returning(['count', 'last_at', 'last_address'])
    .execute();
  if (ended.length === 0) return;
  const kept = together([...ended, ...(await keptOf(tx, principalId))]);
  if (kept === null) return;
  await tx
    .insertInto('password_notice')
    .values({ principal_id: principalId, ...kept })
    .onConflict((conflict) => conflict.column('principal_id').doUpdateSet(kept))
    .execute();
}

/** Every entry that was not followed by a second factor, also of sign-ins that still may be; null when there is none. */
export async function unfinishedEntries(db: ReadDb, principalId: string): Promise<PasswordEntries | null> {
  const pending = await db
    .selectFrom('pending_sign_in')
    .select(['count', 'last_at', 'last_address'])
    .where('principal_id', '=', principalId)
    .execute();
  return together([...pending, ...(await keptOf(db, principalId))]);
}

/** Forgets those until `lastAt`. */
export async function forgetEntries(tx: WriteTx, principalId: string, lastAt: string): Promise<void> {
  for (const table of ['pending_sign_in', 'password_notice'] as const)
    await tx
      .deleteFrom(table)
      .where('principal_id', '=', principalId)
      .where('last_at', '<=', lastAt)
      .execute();
}

async function keptOf(db: ReadDb, principalId: string): Promise<PasswordEntries[]> {
  return await db
    .selectFrom('password_notice')
    .select(['count', 'last_at', 'last_address'])
    .where('principal_id', '=', principalId)
    .execute();
}

function together(entries: readonly PasswordEntries[]): PasswordEntries | null {
  const [last] = entries.toSorted((one, other) => (one.last_at < other.last_at ? 1 : -1));
  if (!last) return null;
  const { last_at, last_address } = last;
  return { count: entries.reduce((sum, { count }) => sum + count, 0), last_at, last_address };
}
