import { type Schedule, schedule } from '../../../jobs/schedule.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { DirectParts } from '../parts.ts';
import { removeFences } from '../store/delivery-store.ts';

const DAY_MS = 24 * 3_600_000;
/**
 * Time for which a fence is kept, in ms. A document under its id is refused as too old at the latest two days after the
 * fence was set: its manifest may be dated up to a day ahead, and is taken for a day after that.
 */
const FENCE_MS = 7 * DAY_MS;

/** Removes fences that no document can pass any more. */
export function defineFenceCleanup(parts: Pick<DirectParts, 'db' | 'queue' | 'clock'>): Schedule {
  const { db, clock } = parts;
  return schedule({
    ...parts,
    kind: 'direct.fences',
    everyMs: () => DAY_MS,
    async run() {
      await db.transaction((tx) => removeFences(tx, isoTime(clock.now() - FENCE_MS)));
    },
  });
}
