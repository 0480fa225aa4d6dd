import { type QueryFilters, type QueryKey, replaceEqualDeep } from '@tanstack/react-query';
import { newest } from './newer.ts';

export { newest } from './newer.ts';

/** The same for the cache of queries, which keeps parts that are equal. */
export function newestShared(before: unknown, next: unknown): unknown {
  return replaceEqualDeep(before, newest(before, next));
}

/** Part of a query that `readAgain` uses. */
interface QueryLike {
  readonly queryKey: QueryKey;
  readonly state: { readonly data: unknown; readonly fetchStatus: string };
  readonly promise: Promise<unknown> | undefined;
}

/** Part of the query client that `readAgain` uses. */
interface QueryClientLike {
  getQueryCache(): { findAll(filters: QueryFilters): readonly QueryLike[] };
  invalidateQueries(filters: QueryFilters): Promise<void>;
}

/**
 * Reads again what may have changed. A first read under way may have been answered before the change, and a query sends
 * one request at a time until it has data, so that read is followed by another.
 */
export function readAgain(queries: QueryClientLike, filters: QueryFilters = {}): void {
  for (const { queryKey, state, promise } of queries.getQueryCache().findAll(filters)) {
    if (state.data !== undefined || state.fetchStatus === 'idle' || !promise) continue;
    const follow = () => void queries.invalidateQueries({ queryKey, exact: true });
    promise.then(follow, follow);
  }
  void queries.invalidateQueries(filters);
}
