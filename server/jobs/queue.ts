import type { Database, WriteTx } from '../db/database.ts';
import { type Announcements, announceOften, NO_ANNOUNCEMENTS } from '../platform/announcements.ts';
import type { Clock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { type JobDefinition, PRIORITY, type Priority, prioritiesOf } from './define-job.ts';
import { insertJob, makeJobDue, removeJobByKey } from './job-store.ts';

interface Enqueue<P> {
  readonly payload: P;
  /** Epoch milliseconds; now when left out. */
  readonly runAt?: number;
  /** A second job with the same key is not made. */
  readonly key?: string;
  /** Among jobs of a kind that has priorities; normal when left out. */
  readonly priority?: Priority;
}

/** Announces that there may be work. */
const TOPIC = 'jobs';

export type { Queue };

/** Puts work into the store in the caller's transaction: the fact and its consequence commit together. */
export function createQueue(
  db: Database,
  clock: Clock,
  announcements: Announcements = NO_ANNOUNCEMENTS,
): Queue {
  return new Queue(db, clock, announcements);
}

class Queue {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #announce: () => void;
  #wake: () => void = () => undefined;

  constructor(db: Database, clock: Clock, announcements: Announcements) {
    this.#db = db;
    this.#clock = clock;
    this.#announce = announceOften(announcements, TOPIC);
    announcements.on(TOPIC, () => this.#wake());
  }

  /** Subscribes the worker to enqueued jobs. */
  onEnqueued(wake: () => void): void {
    this.#wake = wake;
  }

  /** False when a job with this key waits already. */
  async enqueue<P>(
    tx: WriteTx,
    job: Pick<JobDefinition<P>, 'kind' | 'schema' | 'hasPriorities'>,
    args: Enqueue<P>,
  ): Promise<boolean> {
    const { priority = PRIORITY.normal } = args;
    if (!prioritiesOf(job).includes(priority)) throw new Error(`the job ${job.kind} has no priorities`);
    this.#db.onCommit(tx, () => this.#enqueued());
    return insertJob(tx, {
      id: newId(),
      kind: job.kind,
      key: args.key ?? null,
      payload: JSON.stringify(args.payload),
      priority,
      run_at: args.runAt ?? this.#clock.now(),
      attempts: 0,
      locked_by: null,
      locked_until: null,
      last_error: null,
    });
  }

  /** Makes a waiting job due now; one that runs already is left alone. */
  async makeDue(tx: WriteTx, key: string): Promise<void> {
    this.#db.onCommit(tx, () => this.#enqueued());
    await makeJobDue(tx, key, this.#clock.now());
  }

  /** The worker of whichever gateway does the work looks at once. */
  #enqueued(): void {
    this.#wake();
    this.#announce();
  }

  /** Takes back a waiting job; one that runs already is left alone. */
  async withdraw(tx: WriteTx, key: string): Promise<void> {
    await removeJobByKey(tx, key);
  }
}
