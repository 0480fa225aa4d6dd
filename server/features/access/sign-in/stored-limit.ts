import type { Database, SharedTime, WriteTx } from '../../../db/database.ts';
import { tooMany } from '../../../http/rate-limit.ts';
import { deleteFullBuckets, holdBucket, saveBucket } from '../store/sign-in-limits.ts';

/** A bucket of attempts. */
export interface Allowance {
  readonly key: string;
  /** Attempts at once. */
  readonly max: number;
  /** Milliseconds until one attempt comes back. */
  readonly refillMs: number;
}

/** Counts attempts in stored buckets that neither a restart nor a second process resets. */
export interface StoredLimit {
  /**
   * Takes one attempt of each, in the given order up to the first empty one. Callers with several keep to one order, so
   * that two attempts never hold each other's row. Throws a 429 refusal with Retry-After.
   */
  take(allowances: readonly Allowance[]): Promise<void>;
  /** The same in a transaction. Returns the milliseconds to wait when there is none; the caller must then roll back. */
  takeIn(tx: WriteTx, allowances: readonly Allowance[]): Promise<number>;
  /** Returns the attempts taken of each, in the same order. */
  giveBack(tx: WriteTx, allowances: readonly Allowance[]): Promise<void>;
}

export function createStoredLimit({ db, time }: { db: Database; time: SharedTime }): StoredLimit {
  const takeIn: StoredLimit['takeIn'] = async (tx, allowances) => {
    await deleteFullBuckets(tx, time);
    for (const allowance of allowances) {
      const wait = await takeFrom(tx, allowance, time);
      if (wait > 0) return wait;
    }
    return 0;
  };
  return {
    takeIn,
    async take(allowances) {
      const waitMs = await db.transaction((tx) => takeIn(tx, allowances));
      if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000));
    },
    async giveBack(tx, allowances) {
      for (const allowance of allowances) {
        const { tokens, now } = await tokensOf(tx, allowance, time);
        await save(tx, allowance, { tokens: Math.min(allowance.max, tokens + 1), now });
      }
    },
  };
}

/** Takes a token; the milliseconds to wait when there is none. */
async function takeFrom(tx: WriteTx, allowance: Allowance, time: SharedTime): Promise<number> {
  const { tokens, now } = await tokensOf(tx, allowance, time);
  if (tokens < 1) return (1 - tokens) * allowance.refillMs;
  await save(tx, allowance, { tokens: tokens - 1, now });
  return 0;
}

async function tokensOf(
  tx: WriteTx,
  { key, max, refillMs }: Allowance,
  time: SharedTime,
): Promise<{ tokens: number; now: number }> {
  const before = await holdBucket(tx, { key, max }, time);
  const elapsed = Math.max(0, before.now - before.updatedMs);
  return { tokens: Math.min(max, before.tokens + elapsed / refillMs), now: before.now };
}

async function save(
  tx: WriteTx,
  { key, max, refillMs }: Allowance,
  { tokens, now }: { tokens: number; now: number },
): Promise<void> {
  const fullMs = Math.ceil(now + (max - tokens) * refillMs);
  await saveBucket(tx, key, { tokens, updatedMs: now, fullMs });
}
