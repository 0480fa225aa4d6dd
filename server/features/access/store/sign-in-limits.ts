import type { WriteTx } from '../../../db/database.ts';
import type { SharedTime } from '../../../db/shared-time.ts';

interface Bucket {
  readonly tokens: number;
  readonly updatedMs: number;
}

/**
 * Finds a bucket and holds its row until the transaction ends; a new one has `max` tokens. The insert comes first so that two
 * processes that meet a new name take turns. The time is read once the row is held: no other process writes a later one.
 */
export async function holdBucket(
  tx: WriteTx,
  { key, max }: { readonly key: string; readonly max: number },
  time: SharedTime,
): Promise<Bucket & { readonly now: number }> {
  const row = await tx
    .insertInto('sign_in_limit')
    .values({ key, tokens: max, updated_ms: time(), full_ms: time() })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ tokens: eb.ref('sign_in_limit.tokens') })),
    )
    .returning(['tokens', 'updated_ms', time().as('now')])
    .executeTakeFirstOrThrow();
  return { tokens: row.tokens, updatedMs: row.updated_ms, now: row.now };
}

/** Saves a bucket that is full again, and needs no row, at `fullMs`. */
export async function saveBucket(
  tx: WriteTx,
  key: string,
  bucket: Bucket & { readonly fullMs: number },
): Promise<void> {
  await tx
    .updateTable('sign_in_limit')
    .set({ tokens: bucket.tokens, updated_ms: bucket.updatedMs, full_ms: bucket.fullMs })
    .where('key', '=', key)
    .execute();
}

/** Buckets that are full again need no row. */
export async function deleteFullBuckets(tx: WriteTx, time: SharedTime): Promise<void> {
  await tx.deleteFrom('sign_in_limit').where('full_ms', '<=', time()).execute();
}
