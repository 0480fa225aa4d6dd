type Decision = 'open' | 'waiting' | 'shut';

/** Maximum time a request waits for a gateway that is being restarted. */
const MAX_WAIT_MS = 60_000;

/**
 * Creates the gate for the window's network requests: it lets through one origin, and only while the identity of the
 * gateway there is proven. Requests made during a restart of the gateway wait for it, so that nothing of a page is lost
 * or sent to a stranger.
 */
export function createOriginGate(): OriginGate {
  return new OriginGate();
}

export type { OriginGate };

class OriginGate {
  #origin: string | null = null;
  #decision: Decision = 'shut';
  #waiting: ((admitted: boolean) => void)[] = [];

  /** The one origin that pages come from; null before there was one. */
  get origin(): string | null {
    return this.#origin;
  }

  get isOpen(): boolean {
    return this.#decision === 'open';
  }

  open(origin: string): void {
    const moved = this.#origin !== null && this.#origin !== origin;
    this.#origin = origin;
    this.#decide('open', !moved);
  }

  hold(): void {
    if (this.#decision === 'open') this.#decision = 'waiting';
  }

  shut(): void {
    this.#decide('shut', false);
  }

  isOwn(url: string): boolean {
    return this.#origin !== null && URL.parse(url)?.origin === this.#origin;
  }

  admit(url: string): Promise<boolean> {
    if (!this.isOwn(url) || this.#decision === 'shut') return Promise.resolve(false);
    if (this.#decision === 'open') return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), MAX_WAIT_MS);
      this.#waiting.push((admitted) => {
        clearTimeout(timer);
        resolve(admitted);
      });
    });
  }

  #decide(decision: Decision, admitted: boolean): void {
    this.#decision = decision;
    for (const settle of this.#waiting.splice(0)) settle(admitted);
  }
}
