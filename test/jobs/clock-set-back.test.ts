import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineJob, type JobDefinition, type JobResult } from '../../server/jobs/define-job.ts';
import { createQueue, type Queue } from '../../server/jobs/queue.ts';
import { createWorker, type Worker } from '../../server/jobs/worker.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { HOUR, ManualClock, MINUTE } from '../setup/manual-clock.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

const Payload = z.strictObject({ n: z.number() });
type Payload = z.infer<typeof Payload>;

describe.each(STORES)('work in %s', (name) => {
  let store: TestStore;
  let clock: ManualClock;
  const workers: Worker[] = [];

  beforeEach(async () => {
    store = await openStore(name);
    clock = new ManualClock();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
    await store.close();
  });

  function job(run: () => JobResult, more: Partial<JobDefinition<Payload>>): JobDefinition<never> {
    const definition = defineJob<Payload>({
      kind: 'fax.dispatch',
      schema: Payload,
      concurrency: 100,
      lost: 'repeat',
      run: async () => run(),
      ...more,
    });
    return definition as unknown as JobDefinition<never>;
  }

  function worker(definitions: readonly JobDefinition<never>[]): { worker: Worker; queue: Queue } {
    const queue = createQueue(store.db, clock);
    const logger = createLogger({ level: 'debug', write: () => {} });
    const made = createWorker({ db: store.db, queue, clock, logger, definitions });
    workers.push(made);
    return { worker: made, queue };
  }

  const enqueue = (queue: Queue, definitions: readonly JobDefinition<never>[]) =>
    store.db.transaction(async (tx) => {
      for (const definition of definitions)
        await queue.enqueue(tx, definition, { payload: { n: 1 } as never });
    });

  test('waits neither longer nor shorter when the clock is set back by less than it waits', async () => {
    let runs = 0;
    const retry = (): JobResult => (
      (runs += 1), { kind: 'retry', at: clock.now() + 20 * MINUTE, reason: 'x' }
    );
    const definitions = [job(retry, { maxWaitMs: HOUR })];
    const { worker: hand, queue } = worker(definitions);
    await enqueue(queue, definitions);
    await hand.processAll();
    clock.advance(10 * MINUTE);
    await hand.processAll();
    clock.advance(-30 * MINUTE);
    await hand.processAll();
    clock.advance(9 * MINUTE);
    await hand.processAll();
    expect(runs).toBe(1);
    clock.advance(MINUTE);
    await hand.processAll();
    expect(runs).toBe(2);
  });

  test('that waits is due at the next start only where coming early costs nothing', async () => {
    const runs: string[] = [];
    const waiting = (kind: 'fax.poll' | 'inbound.fetch', more: object) =>
      job(() => (runs.push(kind), { kind: 'retry', at: clock.now() + HOUR, reason: 'x' }), {
        kind,
        maxWaitMs: HOUR,
        ...more,
      });
    const definitions = [waiting('fax.poll', { mayComeEarly: true }), waiting('inbound.fetch', {})];
    const { worker: first, queue } = worker(definitions);
    await enqueue(queue, definitions);
    await first.processAll();
    await worker(definitions).worker.processAll();
    expect(runs.toSorted()).toEqual(['fax.poll', 'fax.poll', 'inbound.fetch']);
  });
});
