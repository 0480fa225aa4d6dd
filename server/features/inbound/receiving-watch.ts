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
  readonly #silent = new Map<string, { first: number; last: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  answered(backend: string): void {
    this.#silent.delete(backend);
  }

  failed(backend: string): void {
    const now = this.#clock.now();
    const first = this.unreachableSince(backend) ?? now;
    this.#silent.set(backend, { first, last: now });
  }

  /** Epoch milliseconds; null while it responds, or when it was not polled lately. */
  unreachableSince(backend: string): number | null {
    const silent = this.#silent.get(backend);
    if (!silent || Math.abs(this.#clock.now() - silent.last) >= FRESH_MS) return null;
    return silent.first;
  }
}
