import type { ReadDb, WriteTx } from '../../../db/database.ts';

/** A caller, and the key of their request. */
interface RequestKeyColumns {
  readonly callerId: string;
  readonly key: string;
}

/** Returns the request with this key that has not expired. */
export async function findAnsweredRequest(
  db: ReadDb,
  { callerId, key, now }: RequestKeyColumns & { readonly now: string },
): Promise<{ fingerprint: string; answer: string | null } | undefined> {
  return db
    .selectFrom('answered_request')
    .select(['fingerprint', 'answer'])
    .where('caller_id', '=', callerId)
    .where('request_key', '=', key)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Records a key. False when another request has recorded it; an expired one makes room. */
export async function insertRequestKey(
  tx: WriteTx,
  row: RequestKeyColumns & { readonly fingerprint: string; readonly now: string; readonly expiresAt: string },
): Promise<boolean> {
  const { callerId, key, fingerprint, now, expiresAt } = row;
  await tx
    .deleteFrom('answered_request')
    .where('caller_id', '=', callerId)
    .where('request_key', '=', key)
    .where('expires_at', '<=', now)
    .execute();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('answered_request')
    .values({ caller_id: callerId, request_key: key, fingerprint, answer: null, expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(['caller_id', 'request_key']).doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0) > 0;
}

export async function setAnswer(
  tx: WriteTx,
  { callerId, key, answer }: RequestKeyColumns & { readonly answer: string },
): Promise<void> {
  await tx
    .updateTable('answered_request')
    .set({ answer })
    .where('caller_id', '=', callerId)
    .where('request_key', '=', key)
    .execute();
}

/** Removes a key whose request had no effect. */
export async function removeRequestKey(tx: WriteTx, { callerId, key }: RequestKeyColumns): Promise<void> {
  await tx
    .deleteFrom('answered_request')
    .where('caller_id', '=', callerId)
    .where('request_key', '=', key)
    .execute();
}

export async function removeExpiredAnswers(tx: WriteTx, now: string): Promise<void> {
  await tx.deleteFrom('answered_request').where('expires_at', '<=', now).execute();
}
