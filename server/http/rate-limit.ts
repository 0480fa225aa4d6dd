import type { Request, Response } from 'express';
import type { Clock } from '../platform/clock.ts';
import { RefusalError } from '../platform/errors.ts';
import type { SharedCounts } from '../platform/shared-counts.ts';

const MINUTE_MS = 60_000;
/** Past this many counted names those that wait for nothing are forgotten, so that strangers cannot fill the memory. */
const MAX_NAMES = 10_000;

/** Creates a limit: `policy` is its name in the headers `RateLimit` and `RateLimit-Policy`. */
export type NewMinuteLimit = (policy: LimitPolicy) => MinuteLimit;

/** Returns limits that count for each name; those of 0 are off. Without `shared` this process counts for itself. */
export function createMinuteLimits(clock: Clock, shared: SharedCounts | null = null): NewMinuteLimit {
  return (policy) => new MinuteLimit(clock, policy, shared);
}

/** Names of the limits in the headers. */
type LimitPolicy =
  | 'requests'
  | 'inbound-list'
  | 'inbound-get'
  | 'notifications'
  | 'direct-deliveries'
  | 'direct-questions'
  | 'connector-tests'
  | 'printer-checks'
  | 'webhook-tests';

export type { MinuteLimit };

class MinuteLimit {
  readonly #clock: Clock;
  readonly #policy: LimitPolicy;
  readonly #shared: SharedCounts | null;
  /** Times of the admitted requests that still count, by name, the oldest first. */
  readonly #admitted = new Map<string, number[]>();

  constructor(clock: Clock, policy: LimitPolicy, shared: SharedCounts | null) {
    this.#clock = clock;
    this.#policy = policy;
    this.#shared = shared;
  }

  /**
   * Lets at most `perMinute` requests of `name` through in any 60 seconds, and states in the answer to `request` how many
   * are left. Rejects with a 429 refusal with Retry-After.
   */
  async consume(name: string, perMinute: number, request: Pick<Request, 'res'>): Promise<void> {
    if (perMinute <= 0) return;
    const counted = await this.#shared?.count(`${this.#policy} ${name}`, perMinute);
    if (!counted) return this.#consumeHere(name, perMinute, request);
    const { isAdmitted, ...left } = counted;
    if (request.res) this.#describe(request.res, perMinute, left);
    if (!isAdmitted) throw tooMany(left.seconds);
  }

  #consumeHere(name: string, perMinute: number, { res: response }: Pick<Request, 'res'>): void {
    const now = this.#clock.now();
    const times = this.#counting(name, now);
    // A refusal costs nothing: who asks too often would else never be let in again.
    const oldest = times.length < perMinute ? undefined : times[times.length - perMinute];
    const secondsUntil = (at: number) => Math.ceil((at + MINUTE_MS - now) / 1000);
    if (oldest === undefined) times.push(now);
    const left = { remaining: Math.max(0, perMinute - times.length), seconds: secondsUntil(times[0] ?? now) };
    if (response) this.#describe(response, perMinute, left);
    if (oldest !== undefined) throw tooMany(secondsUntil(oldest));
    if (this.#admitted.size > MAX_NAMES) this.#forget(now);
  }

  /** Adds the limit to the headers: a request may count for several. */
  #describe(
    response: Response,
    perMinute: number,
    { remaining, seconds }: { remaining: number; seconds: number },
  ): void {
    response.append('RateLimit-Policy', `"${this.#policy}";q=${perMinute};w=${MINUTE_MS / 1000}`);
    response.append('RateLimit', `"${this.#policy}";r=${remaining};t=${seconds}`);
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
