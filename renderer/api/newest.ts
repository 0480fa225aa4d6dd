import { type QueryFilters, type QueryKey, replaceEqualDeep } from '@tanstack/react-query';
import { newest } from './newer.ts';

export { newest } from './newer.ts';

/** The same for the cache of queries, which keeps parts that are equal. */
export function newestShared(before: unknown, next: unknown): unknown {
  return replaceEqualDeep(before, newest(before, next));
}

/** Part of a query that `readAgain` uses. */
interface Reading {
  readonly queryKey: QueryKey;
  readonly state: { readonly data: unknown; readonly fetchStatus: string };
  readonly promise: Promise<unknown> | undefined;
}

/** Part of the query client that `readAgain` uses. */
export interface Readings {
  getQueryCache(): { findAll(filters: QueryFilters): readonly Reading[] };
  invalidateQueries(filters: QueryFilters): Promise<void>;
}

/**
 * Reads again what may have changed. A first read under way may have been answered before the change, and a query sends
 * one request at a time until it has data, so that read is followed by another.
 */
export function readAgain(readings: Readings, filters: QueryFilters = {}): void {
  for (const { queryKey, state, promise } of readings.getQueryCache().findAll(filters)) {
    if (state.data !== undefined || state.fetchStatus === 'idle' || !promise) continue;
    const follow = () => void readings.invalidateQueries({ queryKey, exact: true });
    promise.then(follow, follow);
  }
  void readings.invalidateQueries(filters);
}
