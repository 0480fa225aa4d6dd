/** Timers of a component; tests pass their own. */
export interface Timers {
  /** Calls `run` after `ms` milliseconds. The returned function cancels the timer. */
  after(ms: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
