import type { PooledJob } from './pooled-job.ts';

/**
 * Creates a queue of jobs by caller: the caller with the fewest running jobs is next, and among equals they take turns.
 */
export function createFairQueue(): FairQueue {
  return new FairQueue();
}

class FairQueue {
  /** In the order of their turns; none is empty. */
  readonly #jobsByCaller = new Map<string, PooledJob[]>();

  add(job: PooledJob, place: 'first' | 'last'): void {
    const { caller } = job.options;
    const line = this.#jobsByCaller.get(caller) ?? [];
    if (place === 'first') line.unshift(job);
    else line.push(job);
    this.#jobsByCaller.set(caller, line);
  }

  remove(job: PooledJob): void {
    const { caller } = job.options;
    const line = (this.#jobsByCaller.get(caller) ?? []).filter((other) => other !== job);
    if (line.length > 0) this.#jobsByCaller.set(caller, line);
    else this.#jobsByCaller.delete(caller);
  }

  /** In the order in which they are next. `atWork`: how many jobs of a caller are. */
  *listByTurn(atWork: (caller: string) => number): Generator<PooledJob> {
    const callers = [...this.#jobsByCaller.keys()].sort((a, b) => atWork(a) - atWork(b));
    const longest = Math.max(0, ...[...this.#jobsByCaller.values()].map((line) => line.length));
    for (let place = 0; place < longest; place += 1)
      for (const caller of callers) {
        const job = this.#jobsByCaller.get(caller)?.[place];
        if (job) yield job;
      }
  }

  /** These are handed over: the turn of their callers has been. */
  dequeue(jobs: readonly PooledJob[]): void {
    for (const job of jobs) {
      this.remove(job);
      const { caller } = job.options;
      const line = this.#jobsByCaller.get(caller);
      if (line === undefined) continue;
      this.#jobsByCaller.delete(caller);
      this.#jobsByCaller.set(caller, line);
    }
  }
}
