import type { Clock } from '../../platform/clock.ts';

/** Providers are polled every minute and waiting documents within the hour: older results are no longer valid. */
const FRESH_MS = 15 * 60_000;

/** Tracks in memory whether the providers responded to the last request about received faxes. */
export function createReceivingWatch(clock: Clock): ReceivingWatch {
  return new ReceivingWatch(clock);
}

export type { ReceivingWatch };

class ReceivingWatch {
  readonly #clock: Clock;
  readonly #unresponsive = new Map<string, { first: number; last: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  recordResponse(backend: string): void {
    this.#unresponsive.delete(backend);
  }

  recordFailure(backend: string): void {
    const now = this.#clock.now();
    const first = this.unreachableSince(backend) ?? now;
    this.#unresponsive.set(backend, { first, last: now });
  }

  /** Returns epoch milliseconds; null while it responds, or when it was not polled lately. */
  unreachableSince(backend: string): number | null {
    const unresponsive = this.#unresponsive.get(backend);
    if (!unresponsive || Math.abs(this.#clock.now() - unresponsive.last) >= FRESH_MS) return null;
    return unresponsive.first;
  }
}
