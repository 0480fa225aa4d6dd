import type { CloudProvider } from '../../adapters/providers/port.ts';
import type { Clock } from '../../platform/clock.ts';
import { HttpFailure } from '../../platform/http-client.ts';

/** Waiting faxes try again within minutes: what was learned longer ago says nothing about now. */
const FRESH_MS = 15 * 60_000;

/** What the last calls to a provider told about the way to it, in memory. */
export class Reachability {
  readonly #clock: Clock;
  #failures: { first: number; last: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Since when no call came through (epoch milliseconds); null when the last one did, or when nobody tried lately. */
  unreachableSince(): number | null {
    if (!this.#failures) return null;
    const age = Math.abs(this.#clock.now() - this.#failures.last);
    return age < FRESH_MS ? this.#failures.first : null;
  }

  /** The provider with every call watched; its answers and errors stay what they are. */
  watch(provider: CloudProvider): CloudProvider {
    return {
      ...provider,
      reach: (account) => this.#note(provider.reach(account)),
      submit: (account, request) => this.#note(provider.submit(account, request)),
      fetchReport: (account, providerId) => this.#note(provider.fetchReport(account, providerId)),
    };
  }

  async #note<T>(call: Promise<T>): Promise<T> {
    try {
      const answer = await call;
      this.#failures = null;
      return answer;
    } catch (error) {
      if (isLostOnTheWay(error)) this.#fail();
      throw error;
    }
  }

  #fail(): void {
    const now = this.#clock.now();
    const first = this.unreachableSince() === null ? now : (this.#failures?.first ?? now);
    this.#failures = { first, last: now };
  }
}

/** An answer, even a refusal or a fault, came from somewhere: only silence is the network. */
function isLostOnTheWay(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof HttpFailure && ['connection', 'timeout', 'dropped'].includes(cause.reason);
}
