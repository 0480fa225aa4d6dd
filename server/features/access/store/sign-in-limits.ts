import type { WriteTx } from '../../../db/database.ts';

interface Bucket {
  tokens: number;
  updatedMs: number;
  /** Time at which it is full again, and needs no row. */
  fullMs: number;
}

/**
 * Finds a bucket and holds its row until the transaction ends; a new one is full. The insert comes first so that two
 * processes that meet a new name take turns.
 */
export async function holdBucket(tx: WriteTx, key: string, full: Bucket): Promise<Bucket> {
  await tx
    .insertInto('sign_in_limit')
    .values({ key, tokens: full.tokens, updated_ms: full.updatedMs, full_ms: full.fullMs })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ tokens: eb.ref('sign_in_limit.tokens') })),
    )
    .execute();
  const row = await tx
    .selectFrom('sign_in_limit')
    .select(['tokens', 'updated_ms', 'full_ms'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return { tokens: row.tokens, updatedMs: row.updated_ms, fullMs: row.full_ms };
}

export async function saveBucket(tx: WriteTx, key: string, bucket: Bucket): Promise<void> {
  await tx
    .updateTable('sign_in_limit')
    .set({ tokens: bucket.tokens, updated_ms: bucket.updatedMs, full_ms: bucket.fullMs })
    .where('key', '=', key)
    .execute();
}

/** Buckets that are full again need no row. */
export async function deleteFullBuckets(tx: WriteTx, nowMs: number): Promise<void> {
  await tx.deleteFrom('sign_in_limit').where('full_ms', '<=', nowMs).execute();
}
