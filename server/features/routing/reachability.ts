import type { AccountProblem } from '../../../shared/states/outbound.ts';
import type { Clock } from '../../platform/clock.ts';

/** Interval in ms at which a provider that did not respond is tried again, while no fax does that. */
const PROBE_MS = 60_000;

/** Rules by which the end of a call to a provider is read. */
interface CallRules {
  /** Returns true when the error shows that nobody is there. */
  isLost(error: unknown): boolean;
  /** Returns the problem of the account that the error reports; null for none. */
  accountProblemOf(error: unknown): AccountProblem | null;
  /** Problems of the account that a success rules out. */
  readonly proves: readonly AccountProblem[];
}

/** Creates the record of how the last calls to a provider ended, in memory. */
export function createReachability(clock: Clock): Reachability {
  return new Reachability(clock);
}

export type { Reachability };

class Reachability {
  readonly #clock: Clock;
  #failures: { first: number; last: number } | null = null;
  #accountProblem: AccountProblem | null = null;
  #probedAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the time since when no call came through, in epoch ms; null when the last one did. */
  unreachableSince(): number | null {
    return this.#failures?.first ?? null;
  }

  /** Returns the reason why the provider last refused the account; null when it did not. */
  accountProblem(): AccountProblem | null {
    return this.#accountProblem;
  }

  /** Records that the provider accepts the account, as when a person checks the connection. */
  recordResponse(): void {
    this.#failures = null;
    this.#accountProblem = null;
  }

  /** Records how a call to the provider ends; its result or error is unchanged. */
  async track<T>(call: Promise<T>, { isLost, accountProblemOf, proves }: CallRules): Promise<T> {
    try {
      const answer = await call;
      this.#failures = null;
      if (proves.some((problem) => problem === this.#accountProblem)) this.#accountProblem = null;
      return answer;
    } catch (error) {
      if (isLost(error)) {
        const now = this.#clock.now();
        this.#failures = { first: this.unreachableSince() ?? now, last: now };
      }
      this.#accountProblem = accountProblemOf(error) ?? this.#accountProblem;
      throw error;
    }
  }

  /**
   * Tries a provider again, at most once a minute: by `reach` when it did not respond, and by `check`, which returns true
   * when it accepts the credentials, when it refused them. Never throws.
   */
  async probe({
    reach,
    check,
  }: {
    reach: () => Promise<void>;
    check: () => Promise<boolean>;
  }): Promise<void> {
    const now = this.#clock.now();
    const triedAt = Math.max(this.#failures?.last ?? 0, this.#probedAt);
    if (Math.abs(now - triedAt) < PROBE_MS) return;
    if (this.#failures === null && this.#accountProblem !== 'refused') return;
    this.#probedAt = now;
    if (this.#failures !== null) await reach().catch(() => undefined);
    if (this.#failures !== null || this.#accountProblem !== 'refused') return;
    if (await check().catch(() => false)) this.#accountProblem = null;
  }
}
