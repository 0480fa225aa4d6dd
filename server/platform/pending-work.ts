/**
 * Keeps work that is waited for at a stop only. Each promise is released when it has ended: a chain of
 * `Promise.all([earlier, next])` would hold the results of all of them.
 */
export function createPendingWork(): PendingWork {
  return new PendingWork();
}

class PendingWork {
  readonly #pending = new Set<Promise<unknown>>();

  /** Number of promises that have not ended. */
  get size(): number {
    return this.#pending.size;
  }

  /** Adds a promise that handles its own failure. */
  add(work: Promise<unknown>): void {
    const pending: Promise<unknown> = work.finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  /** Waits for the work that is pending now. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }
}
