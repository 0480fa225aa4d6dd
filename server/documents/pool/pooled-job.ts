import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { errorOf } from '../document-error.ts';
import type { DocumentJobs, JobName, PreviewPage, TimeAllowance } from '../jobs.ts';
import type { JobAnswer } from '../process/messages.ts';
import { newCounters } from './progress-watch.ts';
import type { PostedJob } from './worker.ts';

/** Options for running one job. */
export interface RunOptions {
  /** Identifies the job when its start is reported. */
  id: number;
  allowance: TimeAllowance;
  /** On whose account it waits. */
  caller: string;
  signal?: AbortSignal;
  onPage?: (page: PreviewPage) => void;
}

/** Creates a job, which lives from its request until it is answered. */
export function createPooledJob<N extends JobName = JobName>(
  name: N,
  task: DocumentJobs[N]['task'],
  options: RunOptions,
): PooledJob<N> {
  return new PooledJob<N>(name, task, options);
}

export type { PooledJob };

class PooledJob<N extends JobName = JobName> {
  readonly #name: N;
  readonly #task: DocumentJobs[N]['task'];
  readonly options: RunOptions;
  readonly result: Promise<DocumentJobs[N]['result']>;
  readonly #settle: PromiseWithResolvers<DocumentJobs[N]['result']>;
  readonly #pages: ReturnType<typeof openPageChannel> | null;
  /** True when it may share a hand-over: it is short, as far as that can be determined before. */
  mayShare: boolean;
  /** Cancels the job, in the way that fits where it currently is. */
  cancel: () => void = () => undefined;

  constructor(name: N, task: DocumentJobs[N]['task'], options: RunOptions) {
    this.#name = name;
    this.#task = task;
    this.options = options;
    this.#settle = Promise.withResolvers();
    this.result = this.#settle.promise;
    this.#pages = options.onPage ? openPageChannel(options.onPage) : null;
    this.mayShare = !options.signal && !options.onPage && name === 'prepare' && isSmall(task as never);
    options.signal?.addEventListener('abort', this.#cancel);
  }

  /** As it travels to a worker, with counters of its own for each time. */
  post(): PostedJob<N> {
    return {
      name: this.#name,
      task: this.#task,
      counters: newCounters(),
      pages: this.#pages?.workerPort ?? null,
    };
  }

  answer(answer: JobAnswer<DocumentJobs[N]['result']>): void {
    this.#pages?.drainPort();
    if ('result' in answer) this.#settle.resolve(answer.result);
    else this.#settle.reject(errorOf(answer));
    this.#close();
  }

  /** Rejects the result; a caller that gave up gets its own reason. */
  fail(error: unknown): void {
    const { signal } = this.options;
    this.#settle.reject(signal?.aborted ? signal.reason : error);
    this.#close();
  }

  readonly #cancel = (): void => this.cancel();

  #close(): void {
    this.options.signal?.removeEventListener('abort', this.#cancel);
    this.#pages?.close();
  }
}

/** Small uploads come as bytes; cleaning greys draws every page. */
function isSmall({ sources, cleanGreys }: DocumentJobs['prepare']['task']): boolean {
  return !cleanGreys && sources.every((source) => 'bytes' in source);
}

/** Opens a channel for the pages of a preview, which a caller receives one by one. */
function openPageChannel(onPage: (page: PreviewPage) => void): {
  workerPort: MessagePort;
  drainPort(): void;
  close(): void;
} {
  const { port1, port2: workerPort } = new MessageChannel();
  port1.on('message', onPage);
  return {
    workerPort,
    /** Reads pages that the worker sent just before its answer and that may still be in the port. */
    drainPort() {
      for (let late = receiveMessageOnPort(port1); late; late = receiveMessageOnPort(port1))
        onPage(late.message as PreviewPage);
    },
    close: () => port1.close(),
  };
}
