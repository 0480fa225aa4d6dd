/** Values by key, only of the `most` that were used last. */
export function createRecent<T>(most: number): Recent<T> {
  return new Recent<T>(most);
}

export type { Recent };

class Recent<T> {
  readonly #most: number;
  readonly #values = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
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
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value ?? '');
  }
}

/**
 * `find` with a memory for the `most` keys that were asked for last. Only for what depends on nothing but the key; what
 * `find` throws is not remembered.
 */
export function remember<T>(most: number, find: (key: string) => T): (key: string) => T {
  const recent = new Recent<{ readonly value: T }>(most);
  return (key) => {
    const known = recent.get(key);
    if (known) return known.value;
    const value = find(key);
    recent.set(key, { value });
    return value;
  };
}
