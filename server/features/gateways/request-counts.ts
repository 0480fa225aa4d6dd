import type { Database } from '../../db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { SharedCount, SharedCounts } from '../../platform/shared-counts.ts';
import { countRequest, deleteEndedCounts, lockCounts, saveCounts } from './store-counts.ts';

/** A request that waits for its count. */
interface Waiting {
  readonly name: string;
  readonly perMinute: number;
  readonly resolve: (counted: SharedCount | null) => void;
}

/** A request waits no longer for a database that does not answer. Milliseconds. */
const MOST_MS = 2_000;
/** Requests that are counted in one transaction. */
const BATCH = 200;
/** One batch in so many removes the counts that have ended. */
const CLEANUP_BATCHES = 500;

/**
 * Counts requests over all gateways on the database, in one row for each name. Those that arrive while a transaction counts
 * others are counted together by the next one, so a burst costs few transactions.
 */
export function createRequestCounts(parts: { db: Database; logger: Logger }): SharedCounts {
  const waiting: Waiting[] = [];
  let isCounting = false;
  let batches = 0;

  async function countWaiting(): Promise<void> {
    if (isCounting) return;
    isCounting = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      batches += 1;
      try {
        const counted = await countBatch(parts.db, batch, batches % CLEANUP_BATCHES === 1);
        batch.forEach(({ resolve }, at) => resolve(counted[at] ?? null));
      } catch (error) {
        // Each gateway limits for itself while the database is away.
        parts.logger.debug({ error }, 'requests could not be counted over all gateways');
        for (const { resolve } of batch) resolve(null);
      }
    }
    isCounting = false;
  }

  return {
    count: (name, perMinute) =>
      new Promise((resolve) => {
        const limit = setTimeout(() => resolve(null), MOST_MS);
        const counted = (result: SharedCount | null) => {
          clearTimeout(limit);
          resolve(result);
        };
        waiting.push({ name, perMinute, resolve: counted });
        void countWaiting();
      }),
  };
}

async function countBatch(
  db: Database,
  batch: readonly Waiting[],
  isCleaning: boolean,
): Promise<SharedCount[]> {
  const names = [...new Set(batch.map(({ name }) => name))].sort();
  return db.transaction(async (tx) => {
    const { second, counts } = await lockCounts(tx, names);
    const counted = batch.map(({ name, perMinute }) =>
      countRequest(counts.get(name) ?? new Map(), { second, perMinute }),
    );
    await saveCounts(tx, counts);
    if (isCleaning) await deleteEndedCounts(tx, second);
    return counted;
  });
}
