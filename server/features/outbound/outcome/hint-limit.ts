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
  /** By attempt, the one asked about last at the end. Epoch milliseconds. */
  readonly #asked = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True when the provider may be asked now, which counts as asked. */
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
