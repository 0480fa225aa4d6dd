import type { Clock } from '../clock.ts';

/** Time in ms for which a file has to stay unchanged. */
const MIN_STABLE_MS = 5_000;

/**
 * Tracks which files have stopped growing, from the states found by each poll. In memory: after a start each file
 * has to be seen twice again.
 */
export interface SettledFiles {
  /** Records the states found by one poll, by name; files that are missing are dropped. */
  recordStates(states: ReadonlyMap<string, string>): void;
  /** Returns the time in ms for which the file has been unchanged; 0 for a file that was seen once. */
  unchangedMs(name: string): number;
  /** Returns true when the file has been unchanged for long enough to be complete. */
  isSettled(name: string): boolean;
}

export function createSettledFiles(clock: Clock): SettledFiles {
  let seen = new Map<string, { readonly state: string; readonly sinceMs: number }>();
  const unchangedMs = (name: string) => {
    const known = seen.get(name);
    return known === undefined ? 0 : Math.max(0, clock.now() - known.sinceMs);
  };
  return {
    recordStates(states) {
      const now = clock.now();
      const before = seen;
      seen = new Map(
        [...states].map(([name, state]) => {
          const known = before.get(name);
          // Begins again after the clock was set back, which would otherwise delay the file.
          const isSame = known?.state === state && known.sinceMs <= now;
          return [name, isSame ? known : { state, sinceMs: now }];
        }),
      );
    },
    unchangedMs,
    isSettled: (name) => unchangedMs(name) >= MIN_STABLE_MS,
  };
}
