import type { Database } from '../db/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { JobDefinition } from './define-job.ts';
import { bringForward, lastDue, planEarlier } from './job-store.ts';

/** Clocks are adjusted by a little all the time. */
const MIN_SET_BACK_MS = 1_000;
/** The search reads all waiting jobs: with thousands in the queue too long for every look of the worker. */
const SEARCH_EVERY_MS = 60_000;

/**
 * Keeps a clock that was set back from delaying a fax by the difference: a job that waits longer than its kind ever
 * does is due now, and the others come by as much earlier. A job that may come early is due now in any case, and at the
 * first look as well, since earlier changes of the clock are unknown. The function is called with the present time (epoch
 * ms) at each look for work, and searches at the first one, after each change of the clock and once a minute.
 */
export function createBringForward(
  db: Database,
  definitions: ReadonlyMap<string, Pick<JobDefinition, 'kind' | 'maxWaitMs' | 'mayComeEarly'>>,
  logger: Logger,
): (now: number) => Promise<void> {
  let lastLook: number | null = null;
  let lastSearch = 0;
  return async (now) => {
    const isFirst = lastLook === null;
    const setBackMs = Math.max(0, (lastLook ?? now) - now);
    const isSetBack = setBackMs >= MIN_SET_BACK_MS;
    lastLook = now;
    if (!isFirst && !isSetBack && now - lastSearch < SEARCH_EVERY_MS) return;
    for (const { kind, maxWaitMs, mayComeEarly } of definitions.values()) {
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
    lastSearch = now;
  };
}
