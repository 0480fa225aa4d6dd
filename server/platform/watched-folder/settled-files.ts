import type { Clock } from '../clock.ts';

/** Between the two looks at which a file has to be the same. */
const LEAST_MS = 5_000;

/** Which files have stopped growing, from what each look found. In memory: after a start a file is looked at twice again. */
export interface SettledFiles {
  /** Takes what one look found, each with what tells its state; what is missing is forgotten. */
  look(states: ReadonlyMap<string, string>): void;
  /** For how long the file has been the same, in milliseconds; 0 for one that was seen for the first time. */
  sameForMs(name: string): number;
  /** Whether it was the same at an earlier look. */
  isSettled(name: string): boolean;
}

export function createSettledFiles(clock: Clock): SettledFiles {
  let seen = new Map<string, { readonly state: string; readonly sinceMs: number }>();
  const sameForMs = (name: string) => {
    const known = seen.get(name);
    return known === undefined ? 0 : Math.max(0, clock.now() - known.sinceMs);
  };
  return {
    look(states) {
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
    isSettled: (name) => sameForMs(name) >= LEAST_MS,
  };
}
