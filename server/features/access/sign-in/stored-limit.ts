import type { Database, WriteTx } from '../../../db/database.ts';
import { tooMany } from '../../../http/rate-limit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { deleteFullBuckets, holdBucket, saveBucket } from '../store/sign-in-limits.ts';

/** A bucket of attempts. */
export interface Allowance {
  readonly key: string;
  /** Attempts at once. */
  readonly most: number;
  /** Milliseconds until one attempt comes back. */
  readonly refillMs: number;
}

/** Counts attempts in stored buckets that neither a restart nor a second process resets. */
export interface StoredLimit {
  /**
   * Takes one attempt of each, in the given order up to the first empty one. Who names several keeps to one order, so
   * that two attempts never hold each other's row. Throws a 429 refusal with Retry-After.
   */
  take(allowances: readonly Allowance[]): Promise<void>;
}

export function createStoredLimit(parts: { db: Database; clock: Clock }): StoredLimit {
  return {
    async take(allowances) {
      const now = parts.clock.now();
      const waitMs = await parts.db.transaction(async (tx) => {
        await deleteFullBuckets(tx, now);
        for (const allowance of allowances) {
          const wait = await takeFrom(tx, allowance, now);
          if (wait > 0) return wait;
        }
        return 0;
      });
      if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000));
    },
  };
}

/** Takes a token; the milliseconds to wait when there is none. */
async function takeFrom(tx: WriteTx, { key, most, refillMs }: Allowance, now: number): Promise<number> {
  const before = await holdBucket(tx, key, { tokens: most, updatedMs: now, fullMs: now });
  const elapsed = Math.max(0, now - before.updatedMs);
  const tokens = Math.min(most, before.tokens + elapsed / refillMs);
  if (tokens < 1) return (1 - tokens) * refillMs;
  const left = tokens - 1;
  await saveBucket(tx, key, {
    tokens: left,
    updatedMs: now,
    fullMs: Math.ceil(now + (most - left) * refillMs),
  });
  return 0;
}
