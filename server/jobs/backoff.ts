/** Delay before try `attempt` + 1: doubling from `firstMs`, never more than `mostMs`. */
export function backoff(attempt: number, firstMs: number, mostMs: number): number {
  return Math.min(mostMs, firstMs * 2 ** Math.min(30, Math.max(0, attempt - 1)));
}
