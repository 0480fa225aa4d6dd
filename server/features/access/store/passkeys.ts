import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { PasskeyChallengeTable, PasskeyTable } from '../../../db/schema/access.ts';

export type StoredPasskey = PasskeyTable;

/** Oldest first. */
export async function listPasskeys(db: ReadDb, principalId: string): Promise<StoredPasskey[]> {
  return await db
    .selectFrom('passkey')
    .selectAll()
    .where('principal_id', '=', principalId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findPasskey(db: ReadDb, credentialId: string): Promise<StoredPasskey | null> {
  const query = db.selectFrom('passkey').selectAll().where('credential_id', '=', credentialId);
  return (await query.executeTakeFirst()) ?? null;
}

/** Stores a passkey. False when its credential ID is taken. */
export async function insertPasskey(tx: WriteTx, row: PasskeyTable): Promise<boolean> {
  const result = await tx
    .insertInto('passkey')
    .values(row)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** False when it was removed, or used again since its counter was read. */
export async function setPasskeyUsed(
  tx: WriteTx,
  use: { id: string; counter: number; newCounter: number; now: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('passkey')
    .set({ counter: use.newCounter, last_used_at: use.now })
    .where('id', '=', use.id)
    .where('counter', '=', use.counter)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** The removed one, or null. */
export async function deletePasskey(
  tx: WriteTx,
  which: { id: string; principalId: string },
): Promise<StoredPasskey | null> {
  const removed = await tx
    .deleteFrom('passkey')
    .where('id', '=', which.id)
    .where('principal_id', '=', which.principalId)
    .returningAll()
    .executeTakeFirst();
  return removed ?? null;
}

export async function deletePasskeysOf(tx: WriteTx, principalId: string): Promise<void> {
  await tx.deleteFrom('passkey').where('principal_id', '=', principalId).execute();
}

/** Records since when a person has passkeys, or null for none. The row is newer afterwards. */
export async function setPasskeysSince(
  tx: WriteTx,
  change: { principalId: string; since: string | null; now: string },
): Promise<void> {
  await tx
    .updateTable('principal')
    .set((eb) => ({ passkeys_since: change.since, version: eb('version', '+', 1), updated_at: change.now }))
    .where('id', '=', change.principalId)
    .execute();
}

/** Stores a challenge for its owner, in place of an earlier one; deletes expired ones. */
export async function putChallenge(
  tx: WriteTx,
  { owner, challenge, expires_at }: PasskeyChallengeTable,
  now: string,
): Promise<void> {
  await tx.deleteFrom('passkey_challenge').where('expires_at', '<=', now).execute();
  await tx
    .insertInto('passkey_challenge')
    .values({ owner, challenge, expires_at })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet({ challenge, expires_at }))
    .execute();
}

/** Removes a challenge, whether or not it is then answered correctly; null when there is none or it has expired. */
export async function takeChallenge(tx: WriteTx, owner: string, now: string): Promise<string | null> {
  const taken = await tx
    .deleteFrom('passkey_challenge')
    .where('owner', '=', owner)
    .returning(['challenge', 'expires_at'])
    .executeTakeFirst();
  return taken !== undefined && taken.expires_at > now ? taken.challenge : null;
}
