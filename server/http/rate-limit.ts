import type { Clock } from '../platform/clock.ts';
import { RefusalError } from '../platform/errors.ts';

const MINUTE_MS = 60_000;
/** Past this many counted names those that wait for nothing are forgotten, so that strangers cannot fill the memory. */
const MAX_NAMES = 10_000;

/** Counts for each name; limits of 0 are off. */
export function createMinuteLimit(clock: Clock): MinuteLimit {
  return new MinuteLimit(clock);
}

export type { MinuteLimit };

class MinuteLimit {
  readonly #clock: Clock;
  /** Times of the admitted requests that still count, by name, the oldest first. */
  readonly #admitted = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Lets at most `perMinute` requests of `name` through in any 60 seconds. Throws a 429 refusal with Retry-After. */
  consume(name: string, perMinute: number): void {
    if (perMinute <= 0) return;
    const now = this.#clock.now();
    const times = this.#counting(name, now);
    // A refusal costs nothing: who asks too often would else never be let in again.
    const oldest = times.length < perMinute ? undefined : times[times.length - perMinute];
    if (oldest !== undefined) throw tooMany(Math.ceil((oldest + MINUTE_MS - now) / 1000));
    times.push(now);
    if (this.#admitted.size > MAX_NAMES) this.#forget(now);
  }

  #counting(name: string, now: number): number[] {
    const times = this.#admitted.get(name) ?? [];
    this.#admitted.set(name, times);
    // Times of a clock that was set back since would count for as long as it was set back by.
    for (let i = times.length - 1; i >= 0 && (times[i] ?? 0) > now; i -= 1) times[i] = now;
    const from = times.findIndex((at) => at > now - MINUTE_MS);
    times.splice(0, from === -1 ? times.length : from);
    return times;
  }

  #forget(now: number): void {
    for (const [name, times] of this.#admitted)
      if ((times.at(-1) ?? 0) <= now - MINUTE_MS) this.#admitted.delete(name);
  }
}

export function tooMany(seconds: number): RefusalError {
  return new RefusalError('rate_limited', {
    headers: { 'Retry-After': String(Math.max(1, seconds)) },
  });
}
