/** Dependencies of a watch of the light. */
interface LightWatchParts {
  /** Returns the facts that consoles show, to be compared as JSON. */
  readonly read: () => Promise<unknown>;
  /** Returns true while a console listens. */
  readonly hasListeners: () => boolean;
  /** Notifies consoles that they have to read it again. */
  readonly notify: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Creates the watch of the light: it notifies consoles when something begins to work or stops working, which no change of
 * a setting reports.
 */
export function createLightWatch(parts: LightWatchParts): LightWatch {
  return new LightWatch(parts);
}

export type { LightWatch };

class LightWatch {
  readonly #parts: LightWatchParts;
  /** Result of the last check, as JSON; null before the first one. */
  #last: string | null = null;
  #running: Promise<void> = Promise.resolve();
  /** The check that begins after the one under way; null when none is planned. */
  #planned: Promise<void> | null = null;

  constructor(parts: LightWatchParts) {
    this.#parts = parts;
  }

  /** Checks at regular intervals, while a console listens. */
  async tick(): Promise<void> {
    if (this.#parts.hasListeners() && this.#planned === null) await this.check();
  }

  /**
   * Resolves after a check that began after the call. To be called before a console reads the state, too: what it reads is
   * then at least as new as the last check, so that the next one finds every later change.
   */
  check(): Promise<void> {
    this.#planned ??= this.#running.then(() => {
      this.#planned = null;
      return this.#check();
    });
    this.#running = this.#planned;
    return this.#planned;
  }

  async #check(): Promise<void> {
    const { read, notify, onError } = this.#parts;
    try {
      const now = JSON.stringify(await read());
      // Also while nobody listens: a console whose stream broke off gets the notice when it is back.
      if (this.#last !== null && this.#last !== now) notify();
      this.#last = now;
    } catch (error) {
      onError(error);
    }
  }
}
