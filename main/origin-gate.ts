type Decision = 'open' | 'waiting' | 'shut';

/** How long a request waits for a gateway that is being started again. */
const PATIENCE_MS = 60_000;

/**
 * What the window may ask the network for: one origin, and that only while it is known who answers there. Requests that
 * come while the gateway is started again wait for it, so that nothing of a page is lost or told to a stranger.
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
      const timer = setTimeout(() => resolve(false), PATIENCE_MS);
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
