import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { DocumentError } from '../document-error.ts';
import type { DocumentJobs, JobName, PreviewPage } from '../jobs.ts';
import { tooComplex } from '../limits.ts';
import { JobDeadline, type TimeAllowance } from './job-deadline.ts';
import { MemoryWatch } from './memory-watch.ts';
import { newCounters, ProgressWatch } from './progress-watch.ts';
import type { JobAnswer, PostedJob, WorkerSettings } from './worker.ts';

export interface PoolOptions {
  /** At most. */
  threads: number;
  /** How far one thread's PDFium may grow. */
  engineMemoryBytes: number;
  /** How far the whole process may grow above its size before the jobs. */
  memoryLimitBytes: number;
}

/** A second thread is there while it is needed: it holds as much memory as the first. */
const REST_MS = 300_000;

/** How one job is run. */
export interface RunOptions {
  allowance: TimeAllowance;
  signal?: AbortSignal;
  onPage?: (page: PreviewPage) => void;
}

/**
 * Warm worker threads for document work, one job each; the first is always there. A job is ended when it takes too long or the process grows too
 * large; its thread, and with it the engine's memory, is thrown away and a new one started.
 */
export class DocumentPool {
  readonly #threads: Piscina;
  readonly #memory: MemoryWatch;
  readonly #progress = new ProgressWatch();

  constructor(options: PoolOptions) {
    const settings: WorkerSettings = { engineMemoryBytes: options.engineMemoryBytes };
    this.#threads = new Piscina({
      filename: fileURLToPath(new URL('./worker.ts', import.meta.url)),
      minThreads: 1,
      maxThreads: options.threads,
      idleTimeout: REST_MS,
      concurrentTasksPerWorker: 1,
      atomics: 'disabled',
      recordTiming: false,
      trackUnmanagedFds: false,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 768 },
      workerData: settings,
    });
    this.#memory = new MemoryWatch(options.memoryLimitBytes);
  }

  /** Runs a job. Throws a DocumentError for refusals, and the signal's reason when the caller gives up. */
  async run<N extends JobName>(
    name: N,
    task: DocumentJobs[N]['task'],
    options: RunOptions,
  ): Promise<DocumentJobs[N]['result']> {
    options.signal?.throwIfAborted();
    const abort = new AbortController();
    const giveUp = (): void => abort.abort();
    options.signal?.addEventListener('abort', giveUp);
    const deadline = new JobDeadline(options.allowance, giveUp);
    const counters = newCounters();
    const watched = this.#progress.add(counters, {
      started: () => this.#memory.add(abort),
      step: () => deadline.progress(),
      broken: giveUp,
    });
    const pages = options.onPage ? pagesTo(options.onPage) : null;
    try {
      const posted: PostedJob<N> = { task, counters, pages: pages?.workerPort ?? null };
      const answer = (await this.#threads.run(posted, {
        name,
        signal: abort.signal,
        transferList: pages ? [pages.workerPort] : [],
      })) as JobAnswer<DocumentJobs[N]['result']>;
      pages?.hearRest();
      if ('result' in answer) return answer.result;
      if ('failed' in answer) throw Object.assign(new Error(answer.failed.message), answer.failed);
      throw new DocumentError(answer.refused.code, answer.refused.publicMessage);
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      options.signal?.throwIfAborted();
      if (abort.signal.aborted || isOutOfMemory(error)) {
        throw new DocumentError('too_large', tooComplex, { cause: error });
      }
      throw error;
    } finally {
      deadline.stop();
      this.#memory.remove(abort);
      options.signal?.removeEventListener('abort', giveUp);
      this.#progress.remove(watched);
      pages?.close();
    }
  }

  async close(): Promise<void> {
    await this.#threads.destroy();
  }
}

/** A channel for the pages of a preview, which somebody waits for one by one. */
function pagesTo(onPage: (page: PreviewPage) => void) {
  const { port1, port2: workerPort } = new MessageChannel();
  port1.on('message', onPage);
  return {
    workerPort,
    /** What the worker told just before its answer may still lie in the port. */
    hearRest(): void {
      for (let late = receiveMessageOnPort(port1); late; late = receiveMessageOnPort(port1))
        onPage(late.message as PreviewPage);
    },
    close: () => port1.close(),
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
