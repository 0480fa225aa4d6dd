/** Returns the delay in ms before attempt `attempt` + 1: doubled each time from `firstMs`, at most `maxMs`. */
export function backoff(attempt: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(30, Math.max(0, attempt - 1)));
}
