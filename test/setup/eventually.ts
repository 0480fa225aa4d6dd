import { vi } from 'vitest';

/** As long as tests wait for what comes at once on a quiet machine. */
const TIMEOUT_MS = 40_000;

/** Asks again until the check throws nothing, and returns what it returned; the second that is usual is short on a busy machine. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: TIMEOUT_MS });
}
