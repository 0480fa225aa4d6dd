import { FIXED_MESSAGES } from '../../shared/api/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { RefusalError } from '../platform/errors.ts';

const MINUTE_MS = 60_000;
/** Past this many counted names the full ones are forgotten, so that strangers cannot fill the memory. */
const MOST_NAMES = 10_000;

/** A bucket for each name that holds a minute's worth and refills evenly. Limits of 0 are off. */
export class MinuteLimit {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes one request of `name`. Throws a 429 refusal with Retry-After when the bucket is empty. */
  take(name: string, perMinute: number): void {
    if (perMinute <= 0) return;
    const now = this.#clock.now();
    const before = this.#buckets.get(name) ?? { tokens: perMinute, at: now };
    const elapsed = Math.max(0, now - before.at);
    const tokens = Math.min(perMinute, before.tokens + (elapsed * perMinute) / MINUTE_MS);
    // A refusal costs nothing: who asks too often would else never be let in again.
    this.#buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > MOST_NAMES) this.#forget(perMinute, now);
    if (tokens >= 1) return;
    throw tooMany(Math.ceil(((1 - tokens) * MINUTE_MS) / perMinute / 1000));
  }

  #forget(perMinute: number, now: number): void {
    for (const [name, bucket] of this.#buckets)
      if (bucket.tokens + ((now - bucket.at) * perMinute) / MINUTE_MS >= perMinute)
        this.#buckets.delete(name);
  }
}

export function tooMany(seconds: number): RefusalError {
  return new RefusalError(429, FIXED_MESSAGES.tooMany, {
    headers: { 'Retry-After': String(Math.max(1, seconds)) },
  });
}
