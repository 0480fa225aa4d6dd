import type { Database, WriteTx } from '../../db/database.ts';
import { tooMany } from '../../http/rate-limit.ts';
import type { Clock } from '../../platform/clock.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { deleteFullBuckets, holdBucket, saveBucket } from './store/sign-in-limits.ts';

interface Rate {
  /** Attempts at once. */
  most: number;
  /** Milliseconds until one attempt comes back. */
  refillMs: number;
}

const MINUTE_MS = 60_000;
const PER_NAME: Rate = { most: 5, refillMs: 12_000 };
/** 20 in 15 minutes. */
const PER_ADDRESS: Rate = { most: 20, refillMs: (15 * MINUTE_MS) / 20 };
const LONGEST_REFILL_MS = 15 * MINUTE_MS;

export interface SignInLimit {
  /** Takes one attempt. Throws a 429 refusal with Retry-After. */
  take(attempt: { address: string | null; name: string }): Promise<void>;
}

/**
 * Counts every attempt, good or bad, per address and per login name or key id (`name`), in stored buckets that neither a
 * restart nor a second process resets. Names are kept as hashes: people type passwords into the wrong field.
 */
export function createSignInLimit(parts: { db: Database; clock: Clock }): SignInLimit {
  return {
    async take({ address, name }) {
      const now = parts.clock.now();
      const waitMs = await parts.db.transaction(async (tx) => {
        await deleteFullBuckets(tx, now - LONGEST_REFILL_MS);
        // Always in this order, so that two attempts never hold each other's row.
        const wait = address === null ? 0 : await takeFrom(tx, `address:${address}`, PER_ADDRESS, now);
        return wait > 0 ? wait : await takeFrom(tx, `name:${sha256Hex(name).slice(0, 32)}`, PER_NAME, now);
      });
      if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000));
    },
  };
}

/** Takes a token; the milliseconds to wait when there is none. */
async function takeFrom(tx: WriteTx, key: string, rate: Rate, now: number): Promise<number> {
  const before = await holdBucket(tx, key, { tokens: rate.most, updatedMs: now });
  const elapsed = Math.max(0, now - before.updatedMs);
  const tokens = Math.min(rate.most, before.tokens + elapsed / rate.refillMs);
  if (tokens < 1) return (1 - tokens) * rate.refillMs;
  await saveBucket(tx, key, { tokens: tokens - 1, updatedMs: now });
  return 0;
}
