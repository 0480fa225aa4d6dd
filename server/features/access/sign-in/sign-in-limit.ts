import { sha256Hex } from '../../../platform/hash.ts';
import type { StoredLimit } from './stored-limit.ts';

const MINUTE_MS = 60_000;
const PER_NAME = { most: 5, refillMs: 12_000 };
/** 20 in 15 minutes. */
const PER_ADDRESS = { most: 20, refillMs: (15 * MINUTE_MS) / 20 };

export interface SignInLimit {
  /** Takes one attempt. Throws a 429 refusal with Retry-After. */
  take(attempt: { address: string | null; name: string }): Promise<void>;
}

/**
 * Counts every attempt, good or bad, per address and per login name or key id (`name`). Names are kept as hashes: people
 * type passwords into the wrong field.
 */
export function createSignInLimit(limit: StoredLimit): SignInLimit {
  return {
    take: ({ address, name }) =>
      limit.take([
        ...(address === null ? [] : [{ key: `address:${address}`, ...PER_ADDRESS }]),
        { key: `name:${sha256Hex(name).slice(0, 32)}`, ...PER_NAME },
      ]),
  };
}
