import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AuthenticatedCaller } from '../authenticated-caller.ts';
import { readPolicy } from '../store/policy.ts';

/** Maximum time for which a change by another process may go unseen. */
const CHECK_EVERY_MS = 250;
const MAX_CALLERS = 10_000;

/** A caller this process authenticated before. The clock still ends it on every request. */
export interface RememberedCaller {
  readonly caller: AuthenticatedCaller;
  /** Epoch milliseconds, or Infinity. */
  readonly expiresMs: number;
  /** Times of the last request and of its last record in the store, in epoch ms. */
  lastSeenMs: number;
  lastNotedMs: number;
}

/**
 * Creates the cache of callers by the hash of their token, valid for one policy revision. A change of this process
 * clears it at once, one of another process within 250 ms, so that a request with a cached key costs a hash and a
 * lookup, and no query.
 */
export function createCallerCache(parts: { db: Database; clock: Clock }): CallerCache {
  return new CallerCache(parts);
}

export type { CallerCache };

class CallerCache {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #callers = new Map<string, RememberedCaller>();
  #epoch = 0;
  #revision = -1;
  #policyVersion = 0;
  #checkedMs = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(parts: { db: Database; clock: Clock }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
  }

  /** Moves whenever callers are forgotten: what was read before must not be remembered after. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Policy version at the last check. */
  get policyVersion(): number {
    return this.#policyVersion;
  }

  /** Returns true when the revision in the store was checked recently. */
  isFresh(): boolean {
    const age = this.#clock.now() - this.#checkedMs;
    return age >= 0 && age < CHECK_EVERY_MS;
  }

  /** Reads the revision from the store; concurrent requests share one read. */
  async refresh(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    await this.#checking;
  }

  get(tokenHash: string): RememberedCaller | undefined {
    return this.#callers.get(tokenHash);
  }

  remember(tokenHash: string, entry: RememberedCaller, epoch: number): void {
    if (epoch !== this.#epoch) return;
    if (this.#callers.size >= MAX_CALLERS) this.#callers.clear();
    this.#callers.set(tokenHash, entry);
  }

  forget(tokenHash: string): void {
    this.#callers.delete(tokenHash);
  }

  /** Clears the cache; the next request reads the store again. */
  forgetAll(): void {
    this.#callers.clear();
    this.#epoch += 1;
    this.#checkedMs = Number.NEGATIVE_INFINITY;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` whenever callers are forgotten; the answer ends that. It must not throw. */
  onForgotten(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #check(): Promise<void> {
    for (;;) {
      const epoch = this.#epoch;
      const now = this.#clock.now();
      const policy = await readPolicy(this.#db.read);
      // A change was committed while the answer was on its way: it may be the older one.
      if (epoch !== this.#epoch) continue;
      if (policy.revision !== this.#revision) this.forgetAll();
      this.#revision = policy.revision;
      this.#policyVersion = policy.version;
      this.#checkedMs = now;
      return;
    }
  }
}
