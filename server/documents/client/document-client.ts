import { setImmediate } from 'node:timers';
import type { Logger } from '../../platform/logger.ts';
import { DocumentError } from '../document-error.ts';
import type { DocumentJobs, JobName } from '../jobs.ts';
import { tooComplex } from '../limits.ts';
import type { FromProcess, JobUpdate, ProcessSettings } from '../process/messages.ts';
import { type ClientJob, createClientJob, type RunOptions } from './client-job.ts';
import type { DocumentConnection, StartDocumentProcess } from './connection.ts';

interface ClientOptions {
  settings: ProcessSettings;
  /** Folders that the process may read and write. */
  folders: readonly string[];
  start: StartDocumentProcess;
  /** A process that has had nothing to do for so long is ended; the next document starts another. Milliseconds. */
  idleMs: number;
  logger: Logger | null;
}

const CLOSED = 'the work on documents has ended';
/** Failed starts (the process ended before it was ready) after which waiting callers get an error. */
const MAX_FAILED_STARTS = 3;
/** Deaths of a process with the same job after which the job is suspected, even if it never reported its start. */
const MAX_CRASHES = 2;

/**
 * Has jobs done by a process of its own, which is started for the first one and again when it dies. What a process had
 * begun when it died is tried again by the next one, each job alone: the one that ends that process too is refused. Libraries
 * for documents take as much memory as the gateway itself, so that a process without work is ended.
 */
export function createDocumentClient(options: ClientOptions): DocumentClient {
  return new DocumentClient(options);
}

export type { DocumentClient };

class DocumentClient {
  readonly #options: ClientOptions;
  /** Sent and not answered, by id. */
  readonly #sent = new Map<number, ClientJob>();
  #waiting: ClientJob[] = [];
  /** Those one of which may have ended a process. */
  #suspects: ClientJob[] = [];
  /** The suspect that is tried. */
  #isolated: ClientJob | null = null;
  #connection: DocumentConnection | null = null;
  #ready = false;
  #starting: Promise<void> | null = null;
  #failedStarts = 0;
  #lastId = 0;
  #delivering = false;
  #hasLoggedConfinement = false;
  #idle: NodeJS.Timeout | null = null;
  /** Of processes that were not needed any more. */
  #ending: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Runs a job. Throws a DocumentError for refusals, and the signal's reason when the caller gives up. */
  async run<N extends JobName>(
    name: N,
    task: DocumentJobs[N]['task'],
    options: RunOptions,
  ): Promise<DocumentJobs[N]['result']> {
    options.signal?.throwIfAborted();
    if (this.#closed) throw new Error(CLOSED);
    this.#lastId += 1;
    const job = createClientJob(this.#lastId, { name, task, options });
    job.cancel = () => this.#cancel(job as never);
    this.#waiting.push(job as never);
    this.#restartIdleTimer();
    this.#deliverSoon();
    return await job.result;
  }

  /** Starts the process, or keeps it, so that the document that is about to come does not wait for it. */
  warmUp(): void {
    this.#startUnlessStarted();
    this.#restartIdleTimer();
  }

  /** Rejects waiting and running jobs. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle ?? undefined);
    await this.#starting;
    await this.#connection?.end();
    await this.#ending;
    this.#failAll(new Error(CLOSED));
  }

  /** The time without work begins anew. */
  #restartIdleTimer(): void {
    if (this.#closed) return;
    clearTimeout(this.#idle ?? undefined);
    this.#idle = setTimeout(() => this.#endIfIdle(), this.#options.idleMs).unref();
  }

  #endIfIdle(): void {
    const connection = this.#connection;
    const isBusy = this.#sent.size + this.#waiting.length + this.#suspects.length > 0;
    if (isBusy || !this.#ready || connection === null) return this.#restartIdleTimer();
    this.#connection = null;
    this.#ready = false;
    this.#ending = Promise.all([this.#ending, connection.end()]).then(() => undefined);
  }

  /** Sends jobs that are requested in the same moment in one message. */
  #deliverSoon(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    setImmediate(() => {
      this.#delivering = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    if (this.#closed || this.#isolated !== null) return;
    if (this.#waiting.length === 0 && this.#suspects.length === 0) return;
    if (!this.#ready) return this.#startUnlessStarted();
    if (this.#suspects.length === 0) return this.#send(this.#waiting.splice(0));
    if (this.#sent.size > 0) return;
    this.#isolated = this.#suspects.shift() ?? null;
    if (this.#isolated) this.#send([this.#isolated]);
  }

  #send(jobs: readonly ClientJob[]): void {
    for (const job of jobs) this.#sent.set(job.id, job);
    this.#connection?.send({ kind: 'run', jobs: jobs.map((job) => job.message()) });
  }

  #startUnlessStarted(): void {
    if (this.#connection !== null || this.#closed) return;
    this.#starting ??= this.#start();
  }

  async #start(): Promise<void> {
    try {
      const connection = await this.#options.start(this.#options.folders);
      this.#connection = connection;
      connection.onMessage((message) => {
        if (this.#connection === connection) this.#handleMessage(message, connection);
      });
      connection.onEnd((lastWords) => {
        if (this.#connection === connection) this.#handleEnd(lastWords);
      });
      connection.send({ kind: 'start', settings: this.#options.settings });
    } catch (error) {
      this.#failAll(error);
    } finally {
      this.#starting = null;
    }
  }

  #handleMessage(message: FromProcess, connection: DocumentConnection): void {
    switch (message.kind) {
      case 'ready':
        this.#ready = true;
        this.#failedStarts = 0;
        this.#logConfinement(message.permissionModel, connection);
        return this.#deliver();
      case 'begun':
        for (const id of message.ids) {
          const job = this.#sent.get(id);
          if (job) job.hasStarted = true;
        }
        return;
      case 'news':
        for (const update of message.update) this.#handleUpdate(update);
        return this.#deliver();
      default:
        message satisfies never;
    }
  }

  #handleUpdate(update: JobUpdate): void {
    const job = this.#sent.get(update.id);
    if (job === undefined) return;
    if ('page' in update) return job.page(update.page);
    this.#sent.delete(update.id);
    if (this.#isolated === job) this.#isolated = null;
    this.#restartIdleTimer();
    job.answer(update.answer);
  }

  #cancel(job: ClientJob): void {
    if (this.#sent.has(job.id)) return this.#connection?.send({ kind: 'give up', id: job.id });
    this.#waiting = this.#waiting.filter((other) => other !== job);
    this.#suspects = this.#suspects.filter((other) => other !== job);
    job.fail(null);
  }

  #handleEnd(lastWords: string): void {
    this.#connection = null;
    if (!this.#ready) this.#failedStarts += 1;
    this.#ready = false;
    if (this.#closed) return;
    this.#options.logger?.warn({ lastWords, jobs: this.#sent.size }, 'the process of documents ended');
    if (this.#failedStarts < MAX_FAILED_STARTS) {
      this.#requeueJobs();
      return this.#startUnlessStarted();
    }
    this.#failedStarts = 0;
    this.#failAll(new Error(`the process of documents does not start: ${lastWords}`));
  }

  /**
   * Sorts the jobs that a process had when it died: one that ran alone is at fault, started ones are suspected, the
   * rest waits again.
   */
  #requeueJobs(): void {
    const alone = this.#isolated;
    this.#isolated = null;
    const others = [...this.#sent.values()].filter((job) => job !== alone);
    this.#sent.clear();
    alone?.fail(new DocumentError('too_large', tooComplex));
    for (const job of others) job.crashes += 1;
    const anyBegun = others.some(({ hasStarted }) => hasStarted);
    const isSuspect = (job: ClientJob) => job.hasStarted || !anyBegun || job.crashes >= MAX_CRASHES;
    this.#suspects.push(...others.filter(isSuspect));
    this.#waiting.unshift(...others.filter((job) => !isSuspect(job)));
    for (const job of others) job.hasStarted = false;
  }

  #failAll(error: unknown): void {
    const all = [...this.#sent.values(), ...this.#suspects, ...this.#waiting];
    this.#sent.clear();
    this.#suspects = [];
    this.#waiting = [];
    for (const job of all) job.fail(error);
  }

  #logConfinement(permissionModel: boolean, { confinedBy }: DocumentConnection): void {
    if (this.#hasLoggedConfinement) return;
    this.#hasLoggedConfinement = true;
    const confined = [...(permissionModel ? ['the permission model of Node'] : []), ...confinedBy];
    this.#options.logger?.info({ confined }, 'documents are processed in a separate process');
  }
}
