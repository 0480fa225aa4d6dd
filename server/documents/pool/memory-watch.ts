const pollMs = 50;
/** A quarter of the growth: threads that stay warm, and pieces of memory that the system has not taken back. */
const RETAINED_DIVISOR = 4;

/**
 * Ends jobs while the process is too large. V8's limits do not bound WebAssembly memory and native libraries, so the size
 * of the process is looked at every 50 ms while jobs run.
 */
export function createMemoryWatch(growthBytes: number): MemoryWatch {
  return new MemoryWatch(growthBytes);
}

export type { MemoryWatch };

class MemoryWatch {
  readonly #growthBytes: number;
  readonly #running = new Set<AbortController>();
  #timer: NodeJS.Timeout | undefined;
  #baseline = 0;
  #first = 0;

  constructor(growthBytes: number) {
    this.#growthBytes = growthBytes;
  }

  /** Watches a job that has started. */
  add(job: AbortController): void {
    if (this.#running.size === 0) {
      const size = process.memoryUsage.rss();
      this.#first ||= size;
      // Memory that earlier jobs left behind counts as growth, beyond a share: it would add up.
      this.#baseline = Math.min(size, this.#first + this.#growthBytes / RETAINED_DIVISOR);
      this.#timer = setInterval(() => this.#poll(), pollMs);
    }
    this.#running.add(job);
  }

  remove(job: AbortController): void {
    this.#running.delete(job);
    if (this.#running.size === 0) clearInterval(this.#timer);
  }

  /** The job that has run longest is taken to be the one that grows. */
  #poll(): void {
    if (process.memoryUsage.rss() <= this.#baseline + this.#growthBytes) return;
    const oldest = this.#running.values().next().value;
    if (oldest === undefined) return;
    this.remove(oldest);
    oldest.abort();
  }
}
