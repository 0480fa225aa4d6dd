import type { Clock } from '../platform/clock.ts';
import { RefusalError } from '../platform/errors.ts';

const MINUTE_MS = 60_000;
/** Past this many counted names the full ones are forgotten, so that strangers cannot fill the memory. */
const MOST_NAMES = 10_000;

/** What a bucket holds is counted in request-milliseconds, so that every sum is a whole number. */
const ONE_REQUEST = MINUTE_MS;

/** A bucket for each name that holds a minute's worth and refills evenly. Limits of 0 are off. */
export function createMinuteLimit(clock: Clock): MinuteLimit {
  return new MinuteLimit(clock);
}

export type { MinuteLimit };

class MinuteLimit {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes one request of `name`. Throws a 429 refusal with Retry-After when the bucket is empty. */
  take(name: string, perMinute: number): void {
    if (perMinute <= 0) return;
    const now = this.#clock.now();
    const full = perMinute * ONE_REQUEST;
    const before = this.#buckets.get(name) ?? { left: full, at: now };
    const left = Math.min(full, before.left + Math.max(0, now - before.at) * perMinute);
    const isAdmitted = left >= ONE_REQUEST;
    // A refusal costs nothing: who asks too often would else never be let in again.
    this.#buckets.set(name, { left: isAdmitted ? left - ONE_REQUEST : left, at: now });
    if (this.#buckets.size > MOST_NAMES) this.#forget(perMinute, now);
    if (!isAdmitted) throw tooMany(Math.ceil((ONE_REQUEST - left) / perMinute / 1000));
  }

  #forget(perMinute: number, now: number): void {
    for (const [name, bucket] of this.#buckets)
      if (bucket.left + (now - bucket.at) * perMinute >= perMinute * ONE_REQUEST) this.#buckets.delete(name);
  }
}

export function tooMany(seconds: number): RefusalError {
  return new RefusalError('rate_limited', {
    headers: { 'Retry-After': String(Math.max(1, seconds)) },
  });
}
