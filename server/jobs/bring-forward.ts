import type { Database } from '../db/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { JobDefinition } from './define-job.ts';
import { bringForward, lastDue, planEarlier } from './job-store.ts';

/** Clocks are adjusted by a little all the time. */
const MIN_SET_BACK_MS = 1_000;

/**
 * Keeps a clock that was set back from delaying a fax by the difference: a job that waits longer than its kind ever
 * does is due now, and the others come by as much earlier. A job that may come early is due now in any case, and at the
 * first look as well (`lastPoll` is null), since earlier changes of the clock are unknown. Epoch ms.
 */
export async function bringForwardJobs(
  db: Database,
  definitions: Iterable<Pick<JobDefinition, 'kind' | 'maxWaitMs' | 'mayComeEarly'>>,
  { now, lastPoll, logger }: { now: number; lastPoll: number | null; logger: Logger },
): Promise<void> {
  const isFirst = lastPoll === null;
  const setBackMs = Math.max(0, (lastPoll ?? now) - now);
  const isSetBack = setBackMs >= MIN_SET_BACK_MS;
  for (const { kind, maxWaitMs, mayComeEarly } of definitions) {
    if (maxWaitMs === undefined) continue;
    const longestMs = mayComeEarly && (isFirst || isSetBack) ? 0 : maxWaitMs;
    if (isSetBack && longestMs > 0) {
      const earlier = { kind, byMs: setBackMs, until: now + longestMs };
      await db.transaction((tx) => planEarlier(tx, earlier));
    }
    const last = await lastDue(db.read, kind);
    if (last === null || last <= now + longestMs) continue;
    const count = await db.transaction((tx) => bringForward(tx, { kind, now, maxMs: longestMs }));
    logger.info({ kind, count }, 'jobs that waited for a retry are due now');
  }
}
