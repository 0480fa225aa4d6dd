import { DATABASE_DAMAGED, storeTroubleOf } from '../platform/store-trouble.ts';

/** The database is damaged: nothing is written to it any more. */
class DatabaseDamagedError extends Error {
  override name = 'DatabaseDamagedError';
  readonly code = DATABASE_DAMAGED;
}

export type { DamageWatch };

/** Creates the watch of whether a database is damaged. Once damaged, it stays so: only another database helps. */
export function createDamageWatch(): DamageWatch {
  return new DamageWatch();
}

class DamageWatch {
  #isFound = false;
  readonly #listeners: ((cause: unknown) => void)[] = [];

  get isFound(): boolean {
    return this.#isFound;
  }

  /** Calls the listener once, with the error that showed the damage or the message of a check. */
  onFound(listener: (cause: unknown) => void): void {
    this.#listeners.push(listener);
  }

  /** Listens to what goes wrong with queries. */
  observeError(error: unknown): void {
    if (storeTroubleOf(error) === 'damaged') this.reportDamage(error);
  }

  reportDamage(cause: unknown): void {
    if (this.#isFound) return;
    this.#isFound = true;
    for (const listener of this.#listeners) listener(cause);
  }

  /** Throws DatabaseDamagedError. */
  assertNone(): void {
    if (this.#isFound) throw new DatabaseDamagedError('nothing is written to a damaged database');
  }
}
