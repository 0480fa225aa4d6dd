/** Values by key, only of the `maxEntries` that were used last. */
export function createRecentCache<T>(maxEntries: number): RecentCache<T> {
  return new RecentCache<T>(maxEntries);
}

export type { RecentCache as Recent };

class RecentCache<T> {
  readonly #maxEntries: number;
  readonly #values = new Map<string, T>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: string): T | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: T): void {
    // The order of a Map is that of insertion: the one longest unused stands first.
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#maxEntries) this.#values.delete(this.#values.keys().next().value ?? '');
  }
}

/**
 * `find` with a memory for the `maxEntries` keys that were asked for last. Only for what depends on nothing but the key; what
 * `find` throws is not remembered.
 */
export function memoize<T>(maxEntries: number, find: (key: string) => T): (key: string) => T {
  const recent = new RecentCache<{ readonly value: T }>(maxEntries);
  return (key) => {
    const known = recent.get(key);
    if (known) return known.value;
    const value = find(key);
    recent.set(key, { value });
    return value;
  };
}
