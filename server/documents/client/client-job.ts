import { errorOf } from '../document-error.ts';
import type { DocumentJobs, JobName, PreviewPage, TimeAllowance } from '../jobs.ts';
import type { JobAnswer, SentJob } from '../process/messages.ts';

/** Options for running one job. */
export interface RunOptions {
  allowance: TimeAllowance;
  /** On whose account it waits: callers take turns. */
  caller: string;
  signal?: AbortSignal;
  onPage?: (page: PreviewPage) => void;
}

/** Creates a job, which lives from its request until it is answered. */
export function createClientJob<N extends JobName>(
  id: number,
  job: { name: N; task: DocumentJobs[N]['task']; options: RunOptions },
): ClientJob<N> {
  return new ClientJob<N>(id, job);
}

export type { ClientJob };

class ClientJob<N extends JobName = JobName> {
  readonly id: number;
  readonly result: Promise<DocumentJobs[N]['result']>;
  readonly #name: N;
  readonly #task: DocumentJobs[N]['task'];
  readonly #options: RunOptions;
  readonly #settle: PromiseWithResolvers<DocumentJobs[N]['result']>;
  #pages = 0;
  /** The process has given it to a thread. */
  hasStarted = false;
  /** So many processes have died while they had it. */
  crashes = 0;

  /** Cancels the job, in the way that fits where it currently is. */
  cancel: () => void = () => undefined;

  constructor(id: number, job: { name: N; task: DocumentJobs[N]['task']; options: RunOptions }) {
    this.id = id;
    this.#name = job.name;
    this.#task = job.task;
    this.#options = job.options;
    this.#settle = Promise.withResolvers();
    this.result = this.#settle.promise;
    job.options.signal?.addEventListener('abort', this.#cancel);
  }

  /** As it travels to the process. */
  message(): SentJob<N> {
    const { allowance, caller, signal, onPage } = this.#options;
    return {
      id: this.id,
      name: this.#name,
      task: this.#task,
      allowance,
      caller,
      wantsPages: onPage !== undefined,
      mayBeGivenUp: signal !== undefined,
    };
  }

  /** A process that takes the job over from one that died begins with the first page again. */
  page(page: PreviewPage): void {
    if (page.number <= this.#pages) return;
    this.#pages = page.number;
    this.#options.onPage?.(page);
  }

  answer(answer: JobAnswer<unknown>): void {
    if (!('result' in answer)) return this.fail(errorOf(answer));
    this.#settle.resolve(answer.result as DocumentJobs[N]['result']);
    this.#close();
  }

  /** Rejects the result; a caller that gave up gets its own reason. */
  fail(error: unknown): void {
    const { signal } = this.#options;
    this.#settle.reject(signal?.aborted ? signal.reason : error);
    this.#close();
  }

  readonly #cancel = (): void => this.cancel();

  #close(): void {
    this.#options.signal?.removeEventListener('abort', this.#cancel);
  }
}
