import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { DocumentError } from '../document-error.ts';
import type { DocumentJobs, JobName } from '../jobs.ts';
import { tooComplex } from '../limits.ts';
import type { JobAnswer, ProcessSettings } from '../process/messages.ts';
import { createFairQueue } from './fair-queue.ts';
import { createJobDeadline } from './job-deadline.ts';
import { createMemoryWatch, type MemoryWatch } from './memory-watch.ts';
import { createPooledJob, type PooledJob, type RunOptions } from './pooled-job.ts';
import { createProgressWatch, hasEnded, withdraw } from './progress-watch.ts';
import type { PostedJob, WorkerSettings } from './worker.ts';

interface PoolOptions extends ProcessSettings {
  /** Called before jobs go to a thread. */
  onBegin(ids: number[]): void;
}

/** So many threads more do what others want while long work of one caller has all of them. */
const SPARE_THREADS = 1;
/** A second thread is there while it is needed: it holds as much memory as the first. */
const THREAD_IDLE_MS = 300_000;
/**
 * So many short jobs that wait go to a thread in one message and come back in one: handing over costs as much as a third
 * of the work on a letter, and what comes back together is committed together.
 */
const MAX_BATCH_SIZE = 8;
/** While short jobs are under way others wait for them, for a moment, until so many have gathered. */
const MIN_BATCH_SIZE = 4;

/** A job leaves little that is young: with V8's own limit the two threads hold 40 MB more, and are no faster. */
const HEAP = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 12 };

/** A job that is with a worker. */
interface AssignedJob {
  readonly job: PooledJob;
  readonly posted: PostedJob<JobName>;
  /** It waits again: what this hand-over brings for it does not count. */
  isRequeued: boolean;
  /** It counts for its caller. */
  isAtWork: boolean;
}

/**
 * Warm worker threads for document work, one job at a time each; the first is always there. A job is ended when it takes
 * too long or the process grows too large; its thread, and with it the engine's memory, is thrown away and a new one
 * started. Jobs that were handed over with it are not harmed: they are handed over again.
 */
export function createDocumentPool(options: PoolOptions): DocumentPool {
  return new DocumentPool(options);
}

export type { DocumentPool };

class DocumentPool {
  readonly #threads: Piscina;
  readonly #maxBatches: number;
  readonly #onBegin: PoolOptions['onBegin'];
  readonly #memory: MemoryWatch;
  readonly #progress = createProgressWatch();
  readonly #waiting = createFairQueue();
  /** Number of jobs of each caller that are with a thread. */
  readonly #atWork = new Map<string, number>();
  #assignedBatches = 0;
  #warming = false;
  /** Hand-overs of short jobs that are expected back any moment. */
  #shortBatches = 0;

  constructor(options: PoolOptions) {
    const settings: WorkerSettings = { engineMemoryBytes: options.engineMemoryBytes };
    this.#maxBatches = options.threads;
    this.#onBegin = options.onBegin;
    this.#threads = new Piscina({
      filename: fileURLToPath(new URL('./worker.ts', import.meta.url)),
      minThreads: 1,
      maxThreads: options.threads + SPARE_THREADS,
      idleTimeout: THREAD_IDLE_MS,
      concurrentTasksPerWorker: 1,
      atomics: 'disabled',
      recordTiming: false,
      trackUnmanagedFds: false,
      execArgv: [],
      resourceLimits: HEAP,
      workerData: settings,
    });
    this.#memory = createMemoryWatch(options.memoryLimitBytes);
  }

  /** Runs a job. Throws a DocumentError for refusals, and the signal's reason when the caller gives up. */
  async run<N extends JobName>(
    name: N,
    task: DocumentJobs[N]['task'],
    options: RunOptions,
  ): Promise<DocumentJobs[N]['result']> {
    options.signal?.throwIfAborted();
    const job = createPooledJob(name, task, options);
    this.#enqueue(job as never, 'last');
    return await job.result;
  }

  #enqueue(job: PooledJob, place: 'first' | 'last'): void {
    job.cancel = () => {
      this.#waiting.remove(job);
      job.fail(null);
    };
    this.#waiting.add(job, place);
    this.#assignWaiting();
  }

  #assignWaiting(): void {
    while (this.#assignedBatches < this.#maxBatches) {
      const jobs = this.#nextBatch(() => true);
      if (jobs.length === 0) return;
      this.#assign(jobs);
    }
    if (!this.#warming && this.#nextSpareBatch().length > 0) void this.#warmSpare();
  }

  #assign(jobs: readonly PooledJob[]): void {
    this.#waiting.dequeue(jobs);
    this.#assignedBatches += 1;
    for (const job of jobs) this.#countAtWork(job, 1);
    void this.#runBatch(jobs);
  }

  /** The first that waits, and with a short one those short ones that come next. */
  #nextBatch(isEligible: (caller: string) => boolean): PooledJob[] {
    const jobs: PooledJob[] = [];
    for (const job of this.#waiting.listByTurn((caller) => this.#atWork.get(caller) ?? 0)) {
      if (!isEligible(job.options.caller)) continue;
      if (!job.mayShare) return jobs.length === 0 ? [job] : jobs;
      if (jobs.push(job) === MAX_BATCH_SIZE) return jobs;
    }
    return jobs.length < MIN_BATCH_SIZE && this.#shortBatches > 0 ? [] : jobs;
  }

  /** Returns the jobs for the spare thread: none while there is short work, and none of callers that have a thread. */
  #nextSpareBatch(): PooledJob[] {
    if (this.#assignedBatches !== this.#maxBatches || this.#shortBatches > 0) return [];
    return this.#nextBatch((caller) => !this.#atWork.has(caller));
  }

  /** A thread takes a second to start, in which one of the others may come free. */
  async #warmSpare(): Promise<void> {
    this.#warming = true;
    // One that cannot be started leaves the work to the others.
    await this.#threads.run([], { name: 'work' }).catch(() => undefined);
    this.#warming = false;
    const jobs = this.#nextSpareBatch();
    if (jobs.length > 0) this.#assign(jobs);
  }

  #countAtWork({ options: { caller } }: PooledJob, by: 1 | -1): void {
    const count = (this.#atWork.get(caller) ?? 0) + by;
    if (count > 0) this.#atWork.set(caller, count);
    else this.#atWork.delete(caller);
  }

  /** These are with a thread no more. */
  #release(assigned: readonly AssignedJob[]): void {
    for (const one of assigned) {
      if (one.isAtWork) this.#countAtWork(one.job, -1);
      one.isAtWork = false;
    }
  }

  /** Gives jobs to a thread and each its answer. Never throws. */
  async #runBatch(jobs: readonly PooledJob[]): Promise<void> {
    const abort = new AbortController();
    let isShort = jobs.every((job) => job.mayShare);
    if (isShort) this.#shortBatches += 1;
    const lasts = (): void => {
      if (isShort) this.#shortBatches -= 1;
      isShort = false;
    };
    const assigned = jobs.map((job) => ({ job, posted: job.post(), isRequeued: false, isAtWork: true }));
    const stops = assigned.map((one) =>
      this.#watch(one, abort, () => {
        lasts();
        this.#requeue(assigned.filter((each) => each !== one));
        this.#assignWaiting();
      }),
    );
    const posted = assigned.map((one) => one.posted);
    const ended = (): void => {
      for (const stop of stops) stop();
      this.#memory.remove(abort);
      this.#assignedBatches -= 1;
      this.#release(assigned);
      lasts();
    };
    try {
      this.#onBegin(jobs.map(({ options }) => options.id));
      const transferList = posted.flatMap(({ pages }) => pages ?? []);
      const answers = (await this.#threads.run(posted, {
        name: 'work',
        signal: abort.signal,
        transferList,
      })) as (JobAnswer<never> | null)[];
      ended();
      this.#assignWaiting();
      for (const [index, { job, isRequeued }] of assigned.entries()) {
        const answer = answers[index];
        if (answer && !isRequeued) job.answer(answer);
      }
    } catch (error) {
      ended();
      const late = abort.signal.aborted || isOutOfMemory(error);
      this.#failed(assigned, late ? new DocumentError('too_large', tooComplex, { cause: error }) : error);
      this.#assignWaiting();
    }
  }

  /** The one that was running is at fault; the others are tried again, each alone, and then there is nobody else. */
  #failed(assigned: readonly AssignedJob[], error: unknown): void {
    if (assigned.length > 1) this.#requeue(assigned);
    for (const { job, isRequeued } of assigned) if (!isRequeued) job.fail(error);
  }

  /**
   * Puts back jobs that share a hand-over with one that runs on or broke it: what has not begun, and what is done but not
   * brought back. Never the only job of a hand-over, which may end at this moment and whose pages go to one thread only.
   */
  #requeue(assigned: readonly AssignedJob[]): void {
    // Each goes to the front: the first comes last.
    for (const one of assigned.toReversed()) {
      const isFree = hasEnded(one.posted.counters) || withdraw(one.posted.counters);
      if (one.isRequeued || !isFree) continue;
      one.isRequeued = true;
      this.#release([one]);
      one.job.mayShare = false;
      this.#enqueue(one.job, 'first');
    }
  }

  /** Watches time and memory of one job; the answer ends it. */
  #watch({ job, posted }: AssignedJob, abort: AbortController, lasting: () => void): () => void {
    const giveUp = (): void => abort.abort();
    job.cancel = giveUp;
    const deadline = createJobDeadline(job.options.allowance, giveUp);
    const watched = this.#progress.add(posted.counters, {
      started: () => this.#memory.add(abort),
      step: () => deadline.progress(),
      lasting,
      broken: giveUp,
      ended: () => deadline.stop(),
    });
    return () => {
      deadline.stop();
      this.#progress.remove(watched);
    };
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
