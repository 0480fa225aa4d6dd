/**
 * How far a job is, in memory that both threads see: the count of its steps (1 when it starts, 1 for each page that is
 * done) and whether its engine broke. A message for each of them would cost a short job more than its work.
 */
export type JobCounters = Int32Array<SharedArrayBuffer>;

const STEPS = 0;
const BROKEN = 1;
const LOOK_MS = 50;

export function newCounters(): JobCounters {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

/** For the worker: one step is done. */
export function countStep(counters: JobCounters): void {
  Atomics.add(counters, STEPS, 1);
}

/** For the worker: the engine cannot be used any more. */
export function tellBroken(counters: JobCounters): void {
  Atomics.store(counters, BROKEN, 1);
}

interface Listener {
  started(): void;
  step(): void;
  broken(): void;
}

interface Watched {
  readonly counters: JobCounters;
  readonly listener: Listener;
  seen: number;
}

/** Looks every 50 ms how far the running jobs are. */
export class ProgressWatch {
  readonly #jobs = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  add(counters: JobCounters, listener: Listener): Watched {
    const job = { counters, listener, seen: 0 };
    if (this.#jobs.size === 0) this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#jobs.add(job);
    return job;
  }

  remove(job: Watched): void {
    this.#jobs.delete(job);
    if (this.#jobs.size === 0) clearInterval(this.#timer);
  }

  #look(): void {
    for (const job of this.#jobs) {
      for (const steps = Atomics.load(job.counters, STEPS); job.seen < steps; job.seen += 1) {
        if (job.seen === 0) job.listener.started();
        job.listener.step();
      }
      if (Atomics.load(job.counters, BROKEN) === 1) job.listener.broken();
    }
  }
}
