import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { DONE, defineJob, type JobDefinition } from '../../server/jobs/define-job.ts';
import { createQueue } from '../../server/jobs/queue.ts';
import { createWorker } from '../../server/jobs/worker.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { ManualClock, SECOND } from '../setup/manual-clock.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

describe.each(STORES)('work in %s', (name) => {
  let store: TestStore;
  let clock: ManualClock;
  beforeEach(async () => {
    store = await openStore(name);
    clock = new ManualClock();
  });
  afterEach(() => store.close());

  const rows = () => store.db.unrestricted.selectFrom('job').selectAll().orderBy('id').execute();

  test('that met a store which took nothing is recorded and done again within seconds of its recovery', async () => {
    const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    const isFull = { now: false };
    const transaction = store.db.transaction.bind(store.db);
    const spied = vi
      .spyOn(store.db, 'transaction')
      .mockImplementation((work) => (isFull.now ? Promise.reject(full()) : transaction(work)));
    const ran: number[] = [];
    const both = Promise.withResolvers<void>();
    const run = async ({ n }: { n: number }) => {
      if (ran.push(n) > 2) return DONE;
      if (ran.length === 2) both.resolve();
      await both.promise;
      isFull.now = true;
      if (n === 1) throw full();
      return DONE;
    };
    const definition = defineJob({
      kind: 'fax.dispatch',
      schema: z.strictObject({ n: z.number() }),
      concurrency: 2,
      lost: 'repeat',
      run,
    });
    const queue = createQueue(store.db, clock);
    const hand = createWorker({
      db: store.db,
      queue,
      clock,
      logger: createLogger({ level: 'debug', write: () => undefined }),
      definitions: [definition as unknown as JobDefinition<never>],
    });
    await store.db.transaction(async (tx) => {
      for (const n of [0, 1]) await queue.enqueue(tx, definition, { payload: { n } });
    });
    await hand.processAll().catch(() => undefined);
    expect(new Set(ran)).toEqual(new Set([0, 1]));
    expect((await rows()).filter((row) => row.locked_by !== null)).toHaveLength(2);
    isFull.now = false;
    clock.advance(SECOND);
    await hand.processAll();
    expect(await rows()).toMatchObject([{ locked_by: null, last_error: 'database or disk is full' }]);
    clock.advance(4 * SECOND);
    await hand.processAll();
    expect(ran.slice(2)).toEqual([1]);
    expect(await rows()).toEqual([]);
    spied.mockRestore();
  });
});
