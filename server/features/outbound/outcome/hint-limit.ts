import type { Clock } from '../../../platform/clock.ts';

const MIN_INTERVAL_MS = 60_000;
const MAX_KEPT = 10_000;

/** Limits how often hints make us query a provider: once per fax and minute, however many arrive. */
export function createHintLimit(clock: Clock): HintLimit {
  return new HintLimit(clock);
}

export type { HintLimit };

class HintLimit {
  readonly #clock: Clock;
  /** Time of the last query by attempt, newest last. Epoch milliseconds. */
  readonly #lastQueries = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns true when the provider may be queried now, and counts that as a query. */
  take(attemptId: string): boolean {
    const now = this.#clock.now();
    const next = this.nextAt(attemptId);
    if (next > now) return false;
    this.#lastQueries.delete(attemptId);
    this.#lastQueries.set(attemptId, now);
    for (const oldest of this.#lastQueries.keys()) {
      if (this.#lastQueries.size <= MAX_KEPT) break;
      this.#lastQueries.delete(oldest);
    }
    return true;
  }

  /** Returns the time of the next allowed query, in epoch ms; a clock that was set back delays nothing. */
  nextAt(attemptId: string): number {
    const now = this.#clock.now();
    const last = this.#lastQueries.get(attemptId);
    return last === undefined || last > now ? now : last + MIN_INTERVAL_MS;
  }
}
