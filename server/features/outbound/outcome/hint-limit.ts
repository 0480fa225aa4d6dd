import type { Clock } from '../../../platform/clock.ts';

const APART_MS = 60_000;
const MOST_KEPT = 10_000;

/** Limits how often hints make us query a provider: once per fax and minute, however many arrive. */
export function createHintLimit(clock: Clock): HintLimit {
  return new HintLimit(clock);
}

export type { HintLimit };

class HintLimit {
  readonly #clock: Clock;
  /** Time of the last query by attempt, newest last. Epoch milliseconds. */
  readonly #asked = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns true when the provider may be queried now, and counts that as a query. */
  take(attemptId: string): boolean {
    const now = this.#clock.now();
    const next = this.nextAt(attemptId);
    if (next > now) return false;
    this.#asked.delete(attemptId);
    this.#asked.set(attemptId, now);
    for (const oldest of this.#asked.keys()) {
      if (this.#asked.size <= MOST_KEPT) break;
      this.#asked.delete(oldest);
    }
    return true;
  }

  /** Returns the time of the next allowed query, in epoch ms; a clock that was set back delays nothing. */
  nextAt(attemptId: string): number {
    const now = this.#clock.now();
    const last = this.#asked.get(attemptId);
    return last === undefined || last > now ? now : last + APART_MS;
  }
}
