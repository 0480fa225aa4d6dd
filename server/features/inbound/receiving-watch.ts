import type { Clock } from '../../platform/clock.ts';

/** Providers are polled within a quarter of an hour and waiting documents within the hour: older results are no longer valid. */
const FRESH_MS = 2 * 60 * 60_000;

/** Last failures of a provider, in epoch ms. */
interface Failures {
  readonly first: number;
  readonly last: number;
  readonly isRefusal: boolean;
}

/** Tracks in memory whether the providers responded to the last request about received faxes. */
export function createReceivingWatch(clock: Clock): ReceivingWatch {
  return new ReceivingWatch(clock);
}

export type { ReceivingWatch };

class ReceivingWatch {
  readonly #clock: Clock;
  readonly #unresponsive = new Map<string, Failures>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  recordResponse(backend: string): void {
    this.#unresponsive.delete(backend);
  }

  /** Records a request that failed; `isRefusal` is true when the provider refused the account. */
  recordFailure(backend: string, { isRefusal }: { isRefusal: boolean }): void {
    const now = this.#clock.now();
    const first = this.unreachableSince(backend) ?? now;
    this.#unresponsive.set(backend, { first, last: now, isRefusal });
  }

  /** Returns true when the provider refused the account at the last request. */
  refusesAccount(backend: string): boolean {
    return this.unreachableSince(backend) !== null && this.#unresponsive.get(backend)?.isRefusal === true;
  }

  /** Returns epoch milliseconds; null while it responds, or when it was not polled lately. */
  unreachableSince(backend: string): number | null {
    const unresponsive = this.#unresponsive.get(backend);
    if (!unresponsive || Math.abs(this.#clock.now() - unresponsive.last) >= FRESH_MS) return null;
    return unresponsive.first;
  }
}
