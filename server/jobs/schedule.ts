import { z } from 'zod';
import type { JobKind } from '../../shared/job-kinds.ts';
import type { Database } from '../db/database.ts';
import type { Clock } from '../platform/clock.ts';
import { defineJob, type JobDefinition } from './define-job.ts';
import type { Queue } from './queue.ts';

const EmptyPayload = z.strictObject({});
/** Interval in ms at which `everyMs` is checked again while it returns 0 (off). */
const OFF_CHECK_MS = 3_600_000;

export interface Schedule {
  readonly definition: JobDefinition<Record<string, never>>;
  /** Plans the next run by the current interval. Called at start and when the interval was changed. */
  plan(): Promise<void>;
}

/**
 * Creates a job that repeats every `everyMs` (0 turns it off). The queue has one row for it, keyed by its kind, so that
 * two gateways do not run it twice. Runs fall on whole multiples of the interval in epoch ms, whenever the gateway was
 * started.
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
    schema: EmptyPayload,
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
