import type { TimeAllowance } from '../jobs.ts';

/** Calls `onLate` once when a job exceeds its allowance. Waiting for a free thread does not count. */
export function createJobDeadline(allowance: TimeAllowance, onLate: () => void): JobDeadline {
  return new JobDeadline(allowance, onLate);
}

class JobDeadline {
  readonly #allowance: TimeAllowance;
  readonly #onLate: () => void;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #pages = -1;

  constructor(allowance: TimeAllowance, onLate: () => void) {
    this.#allowance = allowance;
    this.#onLate = onLate;
  }

  /** The first call starts the time, every further one reports a finished page. */
  progress(): void {
    const { startMs, betweenPagesMs, perPageMs, maxMs } = this.#allowance;
    this.#pages += 1;
    if (this.#pages === 0) this.#startedAt = performance.now();
    const passed = performance.now() - this.#startedAt;
    const byPage = this.#pages > 0 && betweenPagesMs !== null;
    const allowed = byPage ? betweenPagesMs : startMs + this.#pages * perPageMs - passed;
    this.#restart(Math.min(allowed, maxMs - passed));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #restart(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onLate, Math.max(milliseconds, 0));
  }
}
