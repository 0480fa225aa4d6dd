import type { Clock } from '../clock.ts';

/** Between the two looks at which a file has to be the same. */
const MIN_STABLE_MS = 5_000;

/**
 * Tracks which files have stopped growing, from the findings of each look. In memory: after a start a file has to be
 * seen twice again.
 */
export interface SettledFiles {
  /** Records the findings of one look, each with its state; missing files are dropped. */
  recordStates(states: ReadonlyMap<string, string>): void;
  /** For how long the file has been the same, in milliseconds; 0 for one that was seen for the first time. */
  sameForMs(name: string): number;
  /** Returns true when it was the same at an earlier look. */
  isSettled(name: string): boolean;
}

export function createSettledFiles(clock: Clock): SettledFiles {
  let seen = new Map<string, { readonly state: string; readonly sinceMs: number }>();
  const sameForMs = (name: string) => {
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
          // A clock that was set back must not put it off for long.
          const isSame = known?.state === state && known.sinceMs <= now;
          return [name, isSame ? known : { state, sinceMs: now }];
        }),
      );
    },
    sameForMs,
    isSettled: (name) => sameForMs(name) >= MIN_STABLE_MS,
  };
}
