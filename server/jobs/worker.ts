import type { Database } from '../db/database.ts';
import type { Clock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import { backoff } from './backoff.ts';
import { createBringForward } from './bring-forward.ts';
import type { JobDefinition, JobResult } from './define-job.ts';
import {
  claimJobs,
  finishJob,
  type JobRow,
  lastErrorOf,
  prepareNextDue,
  releaseJob,
  renewLease,
} from './job-store.ts';
import { settleLostJobs } from './lost.ts';
import type { Queue } from './queue.ts';
import { createUnrecorded } from './unrecorded.ts';
import { isUnwritable } from './unwritable.ts';
import { OPEN_PERMIT, type WorkPermit } from './work-permit.ts';

const LEASE_MS = 60_000;
const RENEW_MS = 20_000;
/** Clocks of two computers that differ by less than this do not take each other's jobs for lost. */
const MAX_LEASE_MS = 10 * LEASE_MS;
/** Longest sleep between two looks: another process may have enqueued, and the clock may have been set back. */
const IDLE_MS = 1_000;
const FAILED_MS = 1_000;
const BUG_RETRY = { first: 30_000, most: 3_600_000 };
/** Until a job is tried again that met a disk or store that takes nothing: once that is mended, nobody waits longer. */
const UNWRITABLE_RETRY_MS = 2_000;

interface WorkerParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly definitions: readonly JobDefinition<never>[];
  /** Jobs are claimed only while it is held; always when left out. */
  readonly permit?: WorkPermit;
}

export type { Worker };

/** Claims due jobs and runs them, at most `concurrency` of a kind at once; none while the database is damaged. */
export function createWorker(parts: WorkerParts): Worker {
  return new Worker(parts);
}

class Worker {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #owner = newId();
  readonly #definitions = new Map<string, JobDefinition>();
  readonly #running = new Map<string, { kind: string; done: Promise<void> }>();
  readonly #stop = new AbortController();
  readonly #permit: WorkPermit;
  /** Aborted when the permit is lost; another one for the next time that it is held. */
  #tenure = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();
  #automatic = false;
  #isPolling = false;
  readonly #bringForward: (now: number) => Promise<void>;
  readonly #nextDue: ReturnType<typeof prepareNextDue>;
  #woken = false;
  /** Calls of `processAll` under way, which share the permit: the last one gives it back. */
  #rounds = 0;
  /** True when the last look failed; the next failures are not logged. */
  #hasFailed = false;
  /** Epoch milliseconds. */
  #lostSettledAt = 0;
  readonly #unrecorded = createUnrecorded();
  #onRunning: (kinds: readonly string[]) => void = () => {};

  constructor({ db, queue, clock, logger, definitions, permit = OPEN_PERMIT }: WorkerParts) {
    this.#db = db;
    this.#clock = clock;
    this.#logger = logger;
    for (const definition of definitions) this.#definitions.set(definition.kind, definition);
    this.#nextDue = prepareNextDue([...this.#definitions.values()]);
    queue.onEnqueued(() => this.#wake());
    this.#bringForward = createBringForward(db, this.#definitions, logger);
    this.#permit = permit;
    permit.onChange(() => this.#permitChanged());
  }

  /**
   * Settles the jobs that a crash left behind, then, unless `automatic` is false, begins to work by itself. While another gateway has
   * the permit, both wait until it is this one's turn.
   */
  async start(options: { automatic: boolean }): Promise<void> {
    if (this.#db.damage.isFound) return;
    const { automatic } = options;
    if (await this.#permit.take({ keep: automatic })) await this.#settleLost();
    if (!automatic) await this.#permit.giveBack();
    this.#automatic = automatic;
    if (!automatic) return;
    this.#renewal = setInterval(() => void this.#renew(), RENEW_MS);
    this.#renewal.unref();
    this.#wake();
  }

  /** Takes no new job and waits for the running ones, at most `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#renewal);
    await this.pause(graceMs);
    // A run under way may be handing something over: no other gateway begins before the permit has ended.
    if (this.#running.size === 0) await this.#permit.giveBack();
  }

  /** Takes no new job until `resume` and waits for the running ones, at most `graceMs`. */
  async pause(graceMs: number): Promise<void> {
    this.#automatic = false;
    clearTimeout(this.#timer);
    await this.#polling;
    const finished = Promise.all([...this.#running.values()].map((running) => running.done));
    await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
  }

  /** Works by itself again after a pause. */
  resume(): void {
    if (this.#stop.signal.aborted || this.#renewal === undefined) return;
    this.#automatic = true;
    this.#wake();
  }

  /** Called with the kinds of the jobs that run, one entry each, whenever one begins or ends. */
  onRunning(listener: (kinds: readonly string[]) => void): void {
    this.#onRunning = listener;
  }

  /** Runs everything that is due at the present time of the clock, and what that makes due. For tests and commands. */
  async processAll(): Promise<void> {
    if (this.#db.damage.isFound) return;
    this.#rounds += 1;
    try {
      if (await this.#permit.take({ keep: false })) await this.#processAll();
    } finally {
      this.#rounds -= 1;
      if (this.#rounds === 0) await this.#permit.giveBack();
    }
  }

  async #processAll(): Promise<void> {
    while (!this.#db.damage.isFound) {
      await this.#recordPending();
      await this.#settleLost();
      await this.#bringForward(this.#clock.now());
      const { claimed } = await this.#claimAll();
      await Promise.all([...this.#running.values()].map((running) => running.done));
      if (claimed === 0) return;
    }
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Looks at once, or once more after the look that is under way: there is never more than one timer. */
  #wake(): void {
    this.#woken = true;
    if (!this.#isPolling) this.#pollIn(0);
  }

  #pollIn(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#automatic || this.#db.damage.isFound) return;
    this.#timer = setTimeout(() => {
      this.#polling = this.#poll();
    }, ms);
  }

  #permitChanged(): void {
    this.#hasPermit();
    this.#wake();
  }

  /** Returns true while the permit is held. When it is lost, the runs under way end as soon as they can. */
  #hasPermit(): boolean {
    const isHeld = this.#permit.isHeld();
    if (!isHeld) this.#tenure.abort();
    else if (this.#tenure.signal.aborted) this.#tenure = new AbortController();
    return isHeld;
  }

  async #poll(): Promise<void> {
    if (!this.#hasPermit()) {
      this.#pollIn(IDLE_MS);
      return;
    }
    this.#isPolling = true;
    this.#woken = false;
    let wait = FAILED_MS;
    try {
      await this.#recordPending();
      if (this.#isLostDue()) await this.#settleLost();
      await this.#bringForward(this.#clock.now());
      const { due } = await this.#claimAll();
      wait = due === null ? IDLE_MS : Math.min(IDLE_MS, Math.max(5, due - this.#clock.now()));
      if (this.#hasFailed) this.#logger.info({}, 'looking for work succeeds again');
      this.#hasFailed = false;
    } catch (error) {
      // The store may be full or away for a while: the jobs are still there when it is back. Told once, not every second.
      if (!this.#hasFailed) this.#logger.error({ error }, 'looking for work failed');
      this.#hasFailed = true;
    }
    this.#isPolling = false;
    this.#pollIn(this.#woken ? 0 : wait);
  }

  /** Claims the due jobs. Returns their number, and the time (epoch ms) at which the next one that could be claimed is due. */
  async #claimAll(): Promise<{ claimed: number; due: number | null }> {
    const automatic = this.#automatic;
    for (let claimed = 0; ; ) {
      // Stopped or paused while it looked.
      if (this.#stop.signal.aborted || this.#automatic !== automatic) return { claimed, due: null };
      const now = this.#clock.now();
      const next = await this.#nextDue(this.#db.read);
      const free = next
        .map(({ kind, due }) => ({
          kind,
          due,
          hasPriorities: this.#definitions.get(kind)?.hasPriorities,
          count: this.#freeSlots(kind),
        }))
        .filter(({ count }) => count > 0);
      const due = free.length === 0 ? null : Math.min(...free.map((each) => each.due));
      const wanted = free.filter((each) => each.due <= now);
      if (wanted.length === 0) return { claimed, due };
      const rows = await this.#claim(wanted, now);
      if (rows.length === 0) return { claimed, due };
      claimed += rows.length;
      await this.#startAll(rows, now);
    }
  }

  #claim(wanted: ReadonlyArray<{ kind: string; count: number }>, now: number): Promise<JobRow[]> {
    return this.#db.transaction(async (tx) => {
      await this.#permit.assertHeld(tx);
      return claimJobs(tx, this.#db.capabilities, { wanted, owner: this.#owner, now, leaseMs: LEASE_MS });
    });
  }

  async #startAll(rows: readonly JobRow[], now: number): Promise<void> {
    for (const row of rows) {
      if (this.#stop.signal.aborted) await this.#releaseClaimed(row);
      else if (this.#running.has(row.id)) await this.#postpone(row, now);
      else this.#running.set(row.id, { kind: row.kind, done: this.#run(row) });
    }
    this.#notifyRunning();
  }

  /** Gives back a job that was claimed just when the worker was stopped. */
  async #releaseClaimed(row: JobRow): Promise<void> {
    const given = { id: row.id, owner: this.#owner, runAt: row.run_at, reason: 'the gateway stops' };
    await this.#db.transaction((tx) => releaseJob(tx, given));
  }

  /** Another gateway took a job over that still runs here, and gave it back: the run under way ends first. */
  async #postpone({ id }: JobRow, now: number): Promise<void> {
    const later = {
      id,
      owner: this.#owner,
      runAt: now + BUG_RETRY.first,
      reason: 'an earlier run has not ended',
    };
    await this.#db.transaction((tx) => releaseJob(tx, later));
  }

  /** Returns how many more jobs of the kind may run. */
  #freeSlots(kind: string): number {
    const busy = [...this.#running.values()].filter((running) => running.kind === kind).length;
    return Math.max(0, (this.#definitions.get(kind)?.concurrency ?? 0) - busy);
  }

  async #run(row: JobRow): Promise<void> {
    const result = await this.#attempt(row);
    try {
      await this.#settle(row, result);
    } catch (error) {
      // The next look records it. Should this process end before, the job is settled as a lost one.
      this.#unrecorded.add(row, result);
      this.#logger.error({ error, job: row.id, kind: row.kind }, 'the end of a job could not be recorded');
    } finally {
      this.#running.delete(row.id);
      this.#notifyRunning();
      this.#wake();
    }
  }

  #notifyRunning(): void {
    this.#onRunning([...this.#running.values()].map(({ kind }) => kind));
  }

  async #recordPending(): Promise<void> {
    const recorded = await this.#unrecorded.record((row, result) => this.#settle(row, result));
    if (recorded > 0) this.#logger.info({ recorded }, 'the end of jobs was recorded after all');
  }

  async #attempt(row: JobRow): Promise<JobResult> {
    try {
      const definition = this.#definitions.get(row.kind);
      if (!definition) throw new Error(`no job ${row.kind}`);
      const payload = definition.schema.parse(JSON.parse(row.payload));
      return await definition.run(payload, { attempt: row.attempts, signal: this.#signal() });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const isPassing = isUnwritable(error);
      // A lasting storage problem is logged once.
      if (!isPassing || row.last_error !== lastErrorOf(reason))
        this.#logger.error({ error, job: row.id, kind: row.kind }, 'a job failed');
      const wait = isPassing ? UNWRITABLE_RETRY_MS : backoff(row.attempts, BUG_RETRY.first, BUG_RETRY.most);
      return { kind: 'retry', at: this.#clock.now() + wait, reason };
    }
  }

  #signal(): AbortSignal {
    return this.#permit.isExclusive
      ? AbortSignal.any([this.#stop.signal, this.#tenure.signal])
      : this.#stop.signal;
  }

  async #settle(row: JobRow, result: JobResult): Promise<void> {
    const mine = { id: row.id, owner: this.#owner };
    await this.#db.transaction(async (tx) => {
      const settled = result.kind === 'decide' ? await result.decide(tx) : result;
      if (settled.kind === 'done') await finishJob(tx, mine);
      else
        await releaseJob(tx, {
          ...mine,
          runAt: this.#plannable(row.kind, settled.at),
          reason: settled.reason,
        });
    });
  }

  #plannable(kind: string, at: number): number {
    const longest = this.#definitions.get(kind)?.maxWaitMs;
    return longest === undefined ? at : Math.min(at, this.#clock.now() + longest);
  }

  /** Looks that follow each other at once need one search. */
  #isLostDue(): boolean {
    const passed = this.#clock.now() - this.#lostSettledAt;
    return passed < 0 || passed >= IDLE_MS;
  }

  async #settleLost(): Promise<void> {
    const now = this.#clock.now();
    this.#lostSettledAt = now;
    await settleLostJobs(this.#db, this.#definitions, {
      owner: this.#owner,
      now,
      farthest: now + MAX_LEASE_MS,
      running: new Set(this.#running.keys()),
      permit: this.#permit,
      logger: this.#logger,
    });
  }

  async #renew(): Promise<void> {
    const ids = [...this.#running.keys()];
    if (ids.length === 0 || this.#db.damage.isFound) return;
    const until = this.#clock.now() + LEASE_MS;
    try {
      await this.#db.transaction((tx) => renewLease(tx, { owner: this.#owner, ids, until }));
    } catch (error) {
      this.#logger.error({ error }, 'leases could not be renewed');
    }
  }
}
