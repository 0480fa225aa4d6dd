/** Pool of connections to a database. */
interface WatchedPool {
  readonly max: number;
  /** Returns true when the database answers over a connection that is not of the pool. */
  answers(): Promise<boolean>;
}

/** Counts the connections of a pool that are in use. Without a pool they never are. */
export function createConnectionUse(): ConnectionUse {
  return new ConnectionUse();
}

export type { ConnectionUse };

class ConnectionUse {
  #pool: WatchedPool | null = null;
  #held = 0;
  #answer: Promise<boolean> | null = null;

  watch(pool: WatchedPool): void {
    this.#pool = pool;
  }

  acquired(): void {
    this.#held += 1;
  }

  released(): void {
    this.#held -= 1;
  }

  /** Resolves to true when every connection is in use although the database answers. Never rejects. */
  async isFull(): Promise<boolean> {
    if (this.#pool === null || this.#held < this.#pool.max) return false;
    // Many requests wait at once, for one answer.
    this.#answer ??= this.#pool.answers().finally(() => {
      this.#answer = null;
    });
    return this.#answer.catch(() => false);
  }
}
