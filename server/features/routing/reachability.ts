import type { Clock } from '../../platform/clock.ts';
import { HttpFailure } from '../../platform/http-client.ts';

/** Waiting faxes are retried within minutes: older results are no longer valid. */
const FRESH_MS = 15 * 60_000;

/** Reachability of a provider by its last calls, in memory. */
export interface Reachability {
  /** Since when no call came through (epoch milliseconds); null when the last one did, or when nobody tried lately. */
  unreachableSince(): number | null;
  /** Records an answer to another request, as when a person checks the connection. */
  recordResponse(): void;
  /** Records how a call to the provider ends; its result or error is unchanged. */
  track<T>(call: Promise<T>): Promise<T>;
}

export function createReachability(clock: Clock): Reachability {
  let failures: { first: number; last: number } | null = null;

  function unreachableSince(): number | null {
    if (!failures) return null;
    return Math.abs(clock.now() - failures.last) < FRESH_MS ? failures.first : null;
  }

  function recordResponse(): void {
    failures = null;
  }

  async function track<T>(call: Promise<T>): Promise<T> {
    try {
      const answer = await call;
      recordResponse();
      return answer;
    } catch (error) {
      if (isLostOnTheWay(error)) {
        const now = clock.now();
        failures = { first: unreachableSince() ?? now, last: now };
      }
      throw error;
    }
  }

  return { unreachableSince, recordResponse, track };
}

/** An answer, even a refusal or a fault, came from somewhere: only silence is the network. */
function isLostOnTheWay(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof HttpFailure && ['connection', 'timeout', 'dropped'].includes(cause.reason);
}
