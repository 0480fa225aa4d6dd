import { z } from 'zod';
import type { JobKind } from '../../shared/job-kinds.ts';
import type { Database } from '../db/database.ts';
import type { Clock } from '../platform/clock.ts';
import { defineJob, type JobDefinition } from './define-job.ts';
import type { Queue } from './queue.ts';

const Nothing = z.strictObject({});
/** While an interval is 0 (off), the setting is looked at again this often. */
const OFF_CHECK_MS = 3_600_000;

export interface Schedule {
  readonly definition: JobDefinition<Record<string, never>>;
  /** Plans the next run by the present interval; called at start and when the interval was changed. */
  plan(): Promise<void>;
}

/**
 * Work that repeats: one row, keyed by its kind, so that two processes collide on it instead of running twice. Runs
 * fall on whole multiples of the interval, whenever the gateway was started.
 */
export function schedule(args: {
  kind: JobKind;
  everyMs: () => number;
  run: () => Promise<void>;
  db: Database;
  queue: Queue;
  clock: Clock;
}): Schedule {
  const { kind, everyMs, run, db, queue, clock } = args;
  const nextSlot = () => {
    const every = everyMs() || OFF_CHECK_MS;
    return (Math.floor(clock.now() / every) + 1) * every;
  };
  const definition = defineJob<Record<string, never>>({
    kind,
    schema: Nothing,
    concurrency: 1,
    lost: 'repeat',
    async run() {
      if (everyMs() > 0) await run();
      return { kind: 'retry', at: nextSlot(), reason: 'scheduled' };
    },
  });
  return {
    definition,
    plan() {
      const runAt = nextSlot();
      return db.transaction(async (tx) => {
        await queue.withdraw(tx, kind);
        await queue.enqueue(tx, definition, { payload: {}, runAt, key: kind });
      });
    },
  };
}
