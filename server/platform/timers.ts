/** Timers of a component; tests pass their own. */
export interface Timers {
  /** Runs after so many milliseconds, unless what it returns is called before. */
  after(ms: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
