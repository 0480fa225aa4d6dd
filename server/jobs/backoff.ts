/** Delay before try `attempt` + 1: doubling from `firstMs`, never more than `maxMs`. */
export function backoff(attempt: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(30, Math.max(0, attempt - 1)));
}
