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

export interface PoolOptions extends ProcessSettings {
  /** Called before jobs go to a thread. */
  onBegin(ids: number[]): void;
}

/** So many threads more do what others want while long work of one caller has all of them. */
const SPARE = 1;
/** A second thread is there while it is needed: it holds as much memory as the first. */
const REST_MS = 300_000;
/**
 * So many short jobs that wait go to a thread in one message and come back in one: handing over costs as much as a third
 * of the work on a letter, and what comes back together is committed together.
 */
const MOST_TOGETHER = 8;
/** While short jobs are under way others wait for them, for a moment, until so many have gathered. */
const GATHERED = 4;

/** A job leaves little that is young: with V8's own limit the two threads hold 40 MB more, and are no faster. */
const HEAP = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 12 };

/** A job that is with a worker. */
interface Handed {
  readonly job: PooledJob;
  readonly posted: PostedJob<JobName>;
  /** It waits again: what this hand-over brings for it does not count. */
  takenBack: boolean;
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
  readonly #most: number;
  readonly #onBegin: PoolOptions['onBegin'];
  readonly #memory: MemoryWatch;
  readonly #progress = createProgressWatch();
  readonly #waiting = createFairQueue();
  /** Number of jobs of each caller that are with a thread. */
  readonly #atWork = new Map<string, number>();
  #handedOver = 0;
  #warming = false;
  /** Hand-overs of short jobs that are expected back any moment. */
  #shortOnes = 0;

  constructor(options: PoolOptions) {
    const settings: WorkerSettings = { engineMemoryBytes: options.engineMemoryBytes };
    this.#most = options.threads;
    this.#onBegin = options.onBegin;
    this.#threads = new Piscina({
      filename: fileURLToPath(new URL('./worker.ts', import.meta.url)),
      minThreads: 1,
      maxThreads: options.threads + SPARE,
      idleTimeout: REST_MS,
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
    this.#wait(job as never, 'last');
    return await job.result;
  }

  #wait(job: PooledJob, place: 'first' | 'last'): void {
    job.giveUp = () => {
      this.#waiting.remove(job);
      job.fail(null);
    };
    this.#waiting.add(job, place);
    this.#handOver();
  }

  #handOver(): void {
    while (this.#handedOver < this.#most) {
      const jobs = this.#next(() => true);
      if (jobs.length === 0) return;
      this.#give(jobs);
    }
    if (!this.#warming && this.#forSpare().length > 0) void this.#warmSpare();
  }

  #give(jobs: readonly PooledJob[]): void {
    this.#waiting.take(jobs);
    this.#handedOver += 1;
    for (const job of jobs) this.#countAtWork(job, 1);
    void this.#work(jobs);
  }

  /** The first that waits, and with a short one those short ones that come next. */
  #next(mayHave: (caller: string) => boolean): PooledJob[] {
    const jobs: PooledJob[] = [];
    for (const job of this.#waiting.inTurns((caller) => this.#atWork.get(caller) ?? 0)) {
      if (!mayHave(job.options.caller)) continue;
      if (!job.mayShare) return jobs.length === 0 ? [job] : jobs;
      if (jobs.push(job) === MOST_TOGETHER) return jobs;
    }
    return jobs.length < GATHERED && this.#shortOnes > 0 ? [] : jobs;
  }

  /** Returns the jobs for the spare thread: none while there is short work, and none of callers that have a thread. */
  #forSpare(): PooledJob[] {
    if (this.#handedOver !== this.#most || this.#shortOnes > 0) return [];
    return this.#next((caller) => !this.#atWork.has(caller));
  }

  /** A thread takes a second to start, in which one of the others may come free. */
  async #warmSpare(): Promise<void> {
    this.#warming = true;
    // One that cannot be started leaves the work to the others.
    await this.#threads.run([], { name: 'work' }).catch(() => undefined);
    this.#warming = false;
    const jobs = this.#forSpare();
    if (jobs.length > 0) this.#give(jobs);
  }

  #countAtWork({ options: { caller } }: PooledJob, by: 1 | -1): void {
    const count = (this.#atWork.get(caller) ?? 0) + by;
    if (count > 0) this.#atWork.set(caller, count);
    else this.#atWork.delete(caller);
  }

  /** These are with a thread no more. */
  #leave(handed: readonly Handed[]): void {
    for (const one of handed) {
      if (one.isAtWork) this.#countAtWork(one.job, -1);
      one.isAtWork = false;
    }
  }

  /** Gives jobs to a thread and each its answer. Never throws. */
  async #work(jobs: readonly PooledJob[]): Promise<void> {
    const abort = new AbortController();
    let isShort = jobs.every((job) => job.mayShare);
    if (isShort) this.#shortOnes += 1;
    const lasts = (): void => {
      if (isShort) this.#shortOnes -= 1;
      isShort = false;
    };
    const handed = jobs.map((job) => ({ job, posted: job.post(), takenBack: false, isAtWork: true }));
    const stops = handed.map((one) =>
      this.#watch(one, abort, () => {
        lasts();
        this.#takeBackOthers(handed);
        this.#handOver();
      }),
    );
    const posted = handed.map((one) => one.posted);
    const ended = (): void => {
      for (const stop of stops) stop();
      this.#memory.remove(abort);
      this.#handedOver -= 1;
      this.#leave(handed);
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
      this.#handOver();
      for (const [index, { job, takenBack }] of handed.entries()) {
        const answer = answers[index];
        if (answer && !takenBack) job.answer(answer);
      }
    } catch (error) {
      ended();
      const late = abort.signal.aborted || isOutOfMemory(error);
      this.#failed(handed, late ? new DocumentError('too_large', tooComplex, { cause: error }) : error);
      this.#handOver();
    }
  }

  /** The one that was running is at fault; the others are tried again, each alone, and then there is nobody else. */
  #failed(handed: readonly Handed[], error: unknown): void {
    if (handed.length > 1) this.#takeBackOthers(handed);
    for (const { job, takenBack } of handed) if (!takenBack) job.fail(error);
  }

  /** Those that share a hand-over with a job that runs on: what has not begun, and what is done but not brought back. */
  #takeBackOthers(handed: readonly Handed[]): void {
    // Each goes to the front: the first comes last.
    for (const one of handed.toReversed()) {
      const isFree = hasEnded(one.posted.counters) || withdraw(one.posted.counters);
      if (one.takenBack || !isFree) continue;
      one.takenBack = true;
      this.#leave([one]);
      one.job.mayShare = false;
      this.#wait(one.job, 'first');
    }
  }

  /** Watches time and memory of one job; the answer ends it. */
  #watch({ job, posted }: Handed, abort: AbortController, lasting: () => void): () => void {
    const giveUp = (): void => abort.abort();
    job.giveUp = giveUp;
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
