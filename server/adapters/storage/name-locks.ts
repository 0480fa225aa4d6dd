/** Locks of stored files: many readers at once, or one writer that replaces or removes the file. */
export function createNameLocks(): NameLocks {
  return new NameLocks();
}

export type { NameLocks };

class NameLocks {
  readonly #reading = new Map<string, Set<Promise<unknown>>>();
  readonly #changing = new Map<string, Promise<unknown>>();

  /** Waits for who changes it. */
  async read<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.#changed(name);
    const reading = work();
    const all = this.#reading.get(name) ?? new Set();
    this.#reading.set(name, all.add(reading));
    try {
      return await reading;
    } finally {
      if (all.delete(reading) && all.size === 0) this.#reading.delete(name);
    }
  }

  /** Waits for current users of the file; later ones wait for this. */
  async change<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.#changed(name);
    const readers: Promise<unknown>[] = [...(this.#reading.get(name) ?? [])];
    const changing = Promise.allSettled(readers).then(work);
    this.#changing.set(name, changing);
    try {
      return await changing;
    } finally {
      this.#changing.delete(name);
    }
  }

  async #changed(name: string): Promise<void> {
    for (let present = this.#changing.get(name); present; present = this.#changing.get(name))
      await present.catch(() => undefined);
  }
}
