/**
 * Progress of a job, in memory that both threads share: the count of its steps (1 when it starts, 1 for each finished
 * page), whether its engine broke and whether it has ended. A message for each of them would cost a short job more than
 * its work.
 */
export type JobCounters = Int32Array<SharedArrayBuffer>;

const STEPS = 0;
const BROKEN = 1;
const ENDED = 2;
const FIELDS = 3;
const WITHDRAWN = -1;
const POLL_MS = 50;

export function newCounters(): JobCounters {
  return new Int32Array(new SharedArrayBuffer(FIELDS * Int32Array.BYTES_PER_ELEMENT));
}

/** For the worker: begins a job; false when it was withdrawn before. */
export function countStart(counters: JobCounters): boolean {
  return Atomics.compareExchange(counters, STEPS, 0, 1) === 0;
}

/** For the worker: a page is done. */
export function countPage(counters: JobCounters): void {
  Atomics.add(counters, STEPS, 1);
}

/** For the worker: the engine cannot be used any more. */
export function markBroken(counters: JobCounters): void {
  Atomics.store(counters, BROKEN, 1);
}

/** For the worker: nothing more is done for the job. */
export function markEnded(counters: JobCounters): void {
  Atomics.store(counters, ENDED, 1);
}

/** Keeps a job from being begun; false when it has begun. */
export function withdraw(counters: JobCounters): boolean {
  return Atomics.compareExchange(counters, STEPS, 0, WITHDRAWN) === 0;
}

export function hasEnded(counters: JobCounters): boolean {
  return Atomics.load(counters, ENDED) === 1;
}

interface Listener {
  started(): void;
  step(): void;
  /** It was running when it was looked at before, and is still. */
  lasting(): void;
  broken(): void;
  ended(): void;
}

interface Watched {
  readonly counters: JobCounters;
  readonly listener: Listener;
  seen: number;
}

/** Looks every 50 ms how far the running jobs are. */
export function createProgressWatch(): ProgressWatch {
  return new ProgressWatch();
}

class ProgressWatch {
  readonly #jobs = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  add(counters: JobCounters, listener: Listener): Watched {
    const job = { counters, listener, seen: 0 };
    if (this.#jobs.size === 0) this.#timer = setInterval(() => this.#poll(), POLL_MS);
    this.#jobs.add(job);
    return job;
  }

  remove(job: Watched): void {
    this.#jobs.delete(job);
    if (this.#jobs.size === 0) clearInterval(this.#timer);
  }

  #poll(): void {
    for (const job of this.#jobs) {
      const { counters, listener } = job;
      if (hasEnded(counters)) {
        listener.ended();
        continue;
      }
      if (job.seen > 0) listener.lasting();
      for (const steps = Atomics.load(counters, STEPS); job.seen < steps; job.seen += 1) {
        if (job.seen === 0) listener.started();
        listener.step();
      }
      if (Atomics.load(counters, BROKEN) === 1) listener.broken();
    }
  }
}
