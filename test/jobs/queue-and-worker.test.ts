import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Database, WriteTx } from '../../server/db/database.ts';
import { backoff } from '../../server/jobs/backoff.ts';
import { DONE, defineJob, type JobDefinition, type JobResult } from '../../server/jobs/define-job.ts';
import {
  claimJobs,
  findLostJobs,
  finishJob,
  prepareNextDue,
  releaseJob,
  renewLease,
} from '../../server/jobs/job-store.ts';
import { createQueue, type Queue } from '../../server/jobs/queue.ts';
import { schedule } from '../../server/jobs/schedule.ts';
import { createWorker, type Worker } from '../../server/jobs/worker.ts';
import { createLogger } from '../../server/platform/logger.ts';
import type { JobKind } from '../../shared/job-kinds.ts';
import { DAY, HOUR, ManualClock, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { plansOf } from '../setup/query-plans.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

const Payload = z.strictObject({ n: z.number() });
type Payload = z.infer<typeof Payload>;

test('waits double from one try to the next, up to a bound', () => {
  expect([1, 2, 3, 4, 5, 99].map((tried) => backoff(tried, 15, 100))).toEqual([15, 30, 60, 100, 100, 100]);
});

test('a job that is held when lost must say how', () => {
  const careless = {
    kind: 'fax.wait',
    schema: Payload,
    concurrency: 1,
    lost: 'hold',
    run: async () => DONE,
  } as const;
  expect(() => defineJob(careless)).toThrow(/must say how/u);
});

describe.each(STORES)('work in %s', (name) => {
  let store: TestStore;
  let clock: ManualClock;
  let lines: string[];
  const workers: Worker[] = [];

  beforeEach(async () => {
    store = await openStore(name);
    clock = new ManualClock();
    lines = [];
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
    await store.close();
  });

  function job(
    run: (payload: Payload, attempt: number) => Promise<JobResult> | JobResult,
    more: Partial<JobDefinition<Payload>> = {},
  ): JobDefinition<Payload> {
    return defineJob<Payload>({
      kind: 'fax.dispatch',
      schema: Payload,
      concurrency: 100,
      lost: 'repeat',
      run: async (payload, { attempt }) => run(payload, attempt),
      ...more,
    });
  }

  function worker(
    definitions: readonly JobDefinition<never>[],
    db: Database = store.db,
  ): { worker: Worker; queue: Queue } {
    const queue = createQueue(db, clock);
    const logger = createLogger({ level: 'debug', write: (line) => lines.push(line) });
    const made = createWorker({ db, queue, clock, logger, definitions });
    workers.push(made);
    return { worker: made, queue };
  }

  const asNever = (definition: JobDefinition<Payload>) => definition as unknown as JobDefinition<never>;
  const rows = () => jobTable(store.db).selectAll().orderBy('id').execute();
  const claim = (db: Database, owner: string, { now = clock.now(), kind = 'fax.dispatch', count = 1 } = {}) =>
    db.transaction((tx) =>
      claimJobs(tx, db.capabilities, { wanted: [{ kind, count }], owner, now, leaseMs: MINUTE }),
    );

  async function fill(count: number, kind: JobKind = 'fax.dispatch'): Promise<void> {
    const queue = createQueue(store.db, clock);
    await store.db.transaction(async (tx) => {
      for (let n = 0; n < count; n += 1)
        await queue.enqueue(
          tx,
          job(() => DONE, { kind }),
          { payload: { n } },
        );
    });
  }

  test('is claimed once, however many claim at the same time', async () => {
    await fill(100);
    // SQLite belongs to one process; PostgreSQL is shared.
    const dbs = name === 'postgres' ? [store.db, store.connectAgain()] : [store.db];
    const claimed: string[] = [];
    await Promise.all(
      dbs.flatMap((db, process) =>
        Array.from({ length: 4 }, async (_, worker) => {
          for (;;) {
            const taken = await claim(db, `worker-${process}-${worker}`, { count: 3 });
            if (taken.length === 0) return;
            claimed.push(...taken.map(({ id }) => id));
          }
        }),
      ),
    );
    expect(claimed).toHaveLength(100);
    expect(new Set(claimed).size).toBe(100);
    // One claim locks one row: nothing is locked that nobody was given.
    const locked = await rows();
    expect(locked.every((row) => row.attempts === 1 && row.locked_until === clock.now() + MINUTE)).toBe(true);
  });

  test('is found, claimed and settled without reading those that wait', async () => {
    await fill(2_000);
    for (const kind of ['fax.cost', 'fax.poll', 'inbound.fetch'] as const) await fill(3, kind);
    await claim(store.db, 'vanished');
    await sql`analyze`.execute(store.db.unrestricted);
    const kinds = ['fax.dispatch', 'fax.cost', 'webhooks.deliver'].map((kind) => ({ kind }));
    const lost = { owner: 'mine', now: clock.now(), farthest: clock.now() + DAY, isSole: true };
    const claimed = {
      wanted: kinds.map((kind) => ({ ...kind, count: 3 })),
      owner: 'mine',
      now: clock.now(),
      leaseMs: MINUTE,
    };
    const plans = await plansOf(store, async (db) => {
      await prepareNextDue(kinds)(db);
      expect(await findLostJobs(db, lost)).toHaveLength(1);
      const tx = db as unknown as WriteTx;
      expect(await claimJobs(tx, store.db.capabilities, claimed)).toHaveLength(6);
    });
    expect(plans.length).toBeGreaterThan(3);
    for (const { sql: text, lines: plan } of plans)
      expect([text, plan.join('\n')]).toEqual([
        text,
        expect.not.stringMatching(/seq scan on job|\bscan job\b(?! using index job_claimed)/iu),
      ]);
  });

  test('belongs to its owner alone: another can neither finish, release nor renew it', async () => {
    await fill(1);
    const [row] = await claim(store.db, 'first');
    const mine = { id: row?.id ?? '', owner: 'second' };
    await store.db.transaction(async (tx) => {
      expect(await finishJob(tx, mine)).toBe(false);
      await releaseJob(tx, { ...mine, runAt: 0, reason: 'stolen' });
      await renewLease(tx, { owner: 'second', ids: [mine.id], until: 9_999_999_999_999 });
    });
    expect(await rows()).toEqual([row]);
    expect(await store.db.transaction((tx) => finishJob(tx, { ...mine, owner: 'first' }))).toBe(true);
    expect(await rows()).toEqual([]);
  });

  test('runs by priority, then by time, then in the order of its coming, and not before its time', async () => {
    const ran: number[] = [];
    const definition = job(({ n }) => (ran.push(n), DONE), { concurrency: 1, hasPriorities: true });
    const { worker: hand, queue } = worker([asNever(definition)]);
    const now = clock.now();
    await store.db.transaction(async (tx) => {
      await queue.enqueue(tx, definition, { payload: { n: 5 }, runAt: now + SECOND });
      await queue.enqueue(tx, definition, { payload: { n: 3 }, runAt: now - 1 });
      await queue.enqueue(tx, definition, { payload: { n: 2 }, runAt: now - 2 });
      await queue.enqueue(tx, definition, { payload: { n: 4 } });
      await queue.enqueue(tx, definition, { payload: { n: 1 }, priority: 50 });
    });
    await hand.processAll();
    expect(ran).toEqual([1, 2, 3, 4]);
    clock.advance(SECOND);
    await hand.processAll();
    expect(ran).toEqual([1, 2, 3, 4, 5]);
  });

  test('with a priority is refused for a kind that has none: the worker would not find it', async () => {
    const queue = createQueue(store.db, clock);
    const enqueued = store.db.transaction((tx) =>
      queue.enqueue(
        tx,
        job(() => DONE),
        { payload: { n: 1 }, priority: 50 },
      ),
    );
    await expect(enqueued).rejects.toThrow('has no priorities');
    expect(await rows()).toEqual([]);
  });

  test('of one kind runs at most as often at once as the kind allows', async () => {
    let running = 0;
    let most = 0;
    let full = Promise.withResolvers<void>();
    const definition = job(
      async () => {
        running += 1;
        most = Math.max(most, running);
        if (running === 3) full.resolve();
        await full.promise;
        running -= 1;
        if (running === 0) full = Promise.withResolvers();
        return DONE;
      },
      { concurrency: 3 },
    );
    await fill(21);
    await worker([asNever(definition)]).worker.processAll();
    expect(most).toBe(3);
    expect(await rows()).toEqual([]);
  });

  test('waits as long as its run requires, and a run that throws is tried again later', async () => {
    const attempts: number[] = [];
    const definition = job((_, attempt) => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error('a bug');
      return attempt === 2 ? { kind: 'retry', at: clock.now() + HOUR, reason: 'later' } : DONE;
    });
    const { worker: hand } = worker([asNever(definition)]);
    await fill(1);
    await hand.processAll();
    expect(await rows()).toMatchObject([
      { last_error: 'a bug', run_at: clock.now() + 30 * SECOND, locked_by: null },
    ]);
    clock.advance(30 * SECOND);
    await hand.processAll();
    await hand.processAll();
    expect(attempts).toEqual([1, 2]);
    clock.advance(HOUR);
    await hand.processAll();
    expect([attempts, await rows()]).toEqual([[1, 2, 3], []]);
  });

  test('is never planned further ahead than its kind allows, also when the clock is set back', async () => {
    let runs = 0;
    const definition = job(() => ((runs += 1), { kind: 'retry', at: clock.now() + DAY, reason: 'x' }), {
      maxWaitMs: 5 * MINUTE,
    });
    const { worker: hand } = worker([asNever(definition)]);
    await fill(1);
    await hand.processAll();
    expect(await rows()).toMatchObject([{ run_at: clock.now() + 5 * MINUTE }]);
    await hand.processAll();
    expect(runs).toBe(1);
    clock.advance(-DAY);
    await hand.processAll();
    expect(runs).toBe(2);
  });

  test('of a vanished worker is repeated, or settled by its kind in the transaction that removes it', async () => {
    const repeated: number[] = [];
    const settled: number[] = [];
    const repeating = job(({ n }, attempt) => (repeated.push(n, attempt), DONE));
    const holding = job(() => DONE, {
      kind: 'fax.poll',
      lost: 'hold',
      onLost: async (_tx, { n }) => void settled.push(n),
    });
    const { worker: hand, queue } = worker([asNever(repeating), asNever(holding)]);
    await store.db.transaction(async (tx) => {
      await queue.enqueue(tx, repeating, { payload: { n: 1 } });
      await queue.enqueue(tx, holding, { payload: { n: 2 } });
    });
    for (const kind of ['fax.dispatch', 'fax.poll']) await claim(store.db, 'vanished', { kind });
    if (name === 'postgres') {
      // Others may live: a lease is respected until it has run out.
      await hand.processAll();
      expect([repeated, settled]).toEqual([[], []]);
      clock.advance(MINUTE + 1);
    }
    await hand.processAll();
    expect([repeated, settled]).toEqual([[1, 2], [2]]);
    expect(await rows()).toEqual([]);
  });

  test('of a vanished worker is settled although the clock was set back', async () => {
    const settled: number[] = [];
    const holding = job(() => DONE, { lost: 'hold', onLost: async (_tx, { n }) => void settled.push(n) });
    await fill(1);
    await claim(store.db, 'vanished');
    clock.advance(-DAY);
    await worker([asNever(holding)]).worker.processAll();
    expect(settled).toEqual([0]);
  });

  test('that cannot be settled does not keep other work from running', async () => {
    const ran: number[] = [];
    const broken = job(() => DONE, {
      kind: 'inbound.fetch',
      lost: 'hold',
      onLost: () => Promise.reject(new Error('cannot be settled')),
    });
    const good = job(({ n }) => (ran.push(n), DONE));
    const { worker: hand, queue } = worker([asNever(broken), asNever(good)]);
    await store.db.transaction((tx) => queue.enqueue(tx, broken, { payload: { n: 1 } }));
    await claim(store.db, 'vanished', { kind: 'inbound.fetch' });
    clock.advance(2 * MINUTE);
    await fill(1);
    await hand.start({ automatic: false });
    await hand.processAll();
    expect(ran).toEqual([0]);
    expect(await rows()).toMatchObject([{ kind: 'inbound.fetch', locked_by: 'vanished' }]);
    expect(lines.some((line) => line.includes('could not be settled'))).toBe(true);
  });

  test('with one key is made once, taken back only while it waits, and free again when it has ended', async () => {
    const definition = job(() => DONE);
    const { worker: hand, queue } = worker([asNever(definition)]);
    const enqueue = () =>
      store.db.transaction((tx) => queue.enqueue(tx, definition, { payload: { n: 1 }, key: 'k' }));
    expect([await enqueue(), await enqueue()]).toEqual([true, false]);
    await store.db.transaction((tx) => queue.withdraw(tx, 'k'));
    expect(await rows()).toEqual([]);
    expect(await enqueue()).toBe(true);
    await claim(store.db, 'busy');
    await store.db.transaction((tx) => queue.withdraw(tx, 'k'));
    expect(await rows()).toHaveLength(1);
    clock.advance(2 * MINUTE);
    await hand.processAll();
    expect([await rows(), await enqueue()]).toEqual([[], true]);
  });

  test('that is enqueued in a transaction that fails is not there', async () => {
    const definition = job(() => DONE);
    const { queue } = worker([asNever(definition)]);
    const failing = store.db.transaction(async (tx) => {
      await queue.enqueue(tx, definition, { payload: { n: 1 } });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await rows()).toEqual([]);
  });

  test('that repeats falls on whole multiples of its interval, once for all processes', async () => {
    let runs = 0;
    let everyMs = 10 * MINUTE;
    const parts = {
      kind: 'fax.cleanup' as const,
      everyMs: () => everyMs,
      run: async () => void (runs += 1),
      clock,
    };
    const dbs = name === 'postgres' ? [store.db, store.connectAgain()] : [store.db, store.db];
    const processes = dbs.map((db) => {
      const queue = createQueue(db, clock);
      return schedule({ ...parts, db, queue });
    });
    for (const each of processes) await each.plan();
    const { worker: hand } = worker([processes[0]?.definition as unknown as JobDefinition<never>]);
    clock.advance(4 * MINUTE);
    await hand.processAll();
    expect(runs).toBe(0);
    clock.advance(6 * MINUTE);
    await hand.processAll();
    await hand.processAll();
    expect(runs).toBe(1);
    expect((await rows()).map((row) => row.run_at % (10 * MINUTE))).toEqual([0]);
    everyMs = 0;
    clock.advance(10 * MINUTE);
    await hand.processAll();
    expect(runs).toBe(1);
  });

  test('is finished by a stop, and nothing new is begun', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let ran = 0;
    const definition = job(
      async () => {
        begin();
        await released;
        ran += 1;
        return DONE;
      },
      { concurrency: 1 },
    );
    const { worker: hand } = worker([asNever(definition)]);
    await fill(2);
    const working = hand.processAll();
    await begun;
    const stopping = hand.stop(60_000);
    release();
    await Promise.all([stopping, working]);
    expect([ran, hand.runningCount, (await rows()).length]).toEqual([1, 0, 1]);
  });
});

test('a worker that is woken often still looks by one timer only', async () => {
  const store = await openStore('sqlite');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  try {
    const clock = new ManualClock();
    const queue = createQueue(store.db, clock);
    const definition = defineJob<Payload>({
      kind: 'fax.dispatch',
      schema: Payload,
      concurrency: 4,
      lost: 'repeat',
      run: async () => DONE,
    });
    const logger = createLogger({ level: 'error', write: () => undefined });
    const definitions = [definition as unknown as JobDefinition<never>];
    const worker = createWorker({ db: store.db, queue, clock, logger, definitions });
    await worker.start({ automatic: true });
    for (let n = 0; n < 50; n += 1) {
      await store.db.transaction((tx) => queue.enqueue(tx, definition, { payload: { n } }));
      await vi.advanceTimersByTimeAsync(1);
    }
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await jobTable(store.db).selectAll().execute()).toEqual([]);
    // The renewal of leases and the next look.
    expect(vi.getTimerCount()).toBe(2);
    await worker.stop(0);
  } finally {
    vi.useRealTimers();
    await store.close();
  }
});

function jobTable(db: Database) {
  return db.unrestricted.selectFrom('job');
}
