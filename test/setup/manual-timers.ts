import type { Timers } from '../../server/platform/timers.ts';

/** Timers that ring when a test says so. */
export class ManualTimers implements Timers {
  readonly waits: { ms: number; run: () => void }[] = [];

  after(ms: number, run: () => void): () => void {
    const wait = { ms, run };
    this.waits.push(wait);
    return () => this.#remove(wait);
  }

  /** Lets every wait of this length end. */
  ring(ms: number): void {
    for (const wait of this.waits.filter((each) => each.ms === ms)) {
      this.#remove(wait);
      wait.run();
    }
  }

  #remove(wait: { ms: number; run: () => void }): void {
    const at = this.waits.indexOf(wait);
    if (at !== -1) this.waits.splice(at, 1);
  }
}
