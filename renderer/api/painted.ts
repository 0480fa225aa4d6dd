import { queryClient } from './queries.ts';

/** For windows that paint nothing, because they are hidden. */
const LIMIT_MS = 100;

/**
 * Resolves at once where the query has no data yet, otherwise after the next frame: what is known is shown first, and
 * requests cost the time in which it is drawn.
 */
export function paintedIfKnown(queryKey: readonly unknown[]): Promise<void> | undefined {
  if (queryClient.getQueryData(queryKey) === undefined) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LIMIT_MS);
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer);
        resolve();
      }),
    );
  });
}
