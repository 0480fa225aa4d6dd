import { type Schedule, schedule } from '../../../jobs/schedule.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { TelephonyParts } from '../parts.ts';
import { removeCallsBefore } from './store.ts';

const BATCH = 200;
const DAY_MS = 24 * 3_600_000;

/** Removes the calls that were recorded longer ago than CALL_LOG_DAYS. The faxes that they carried stay. */
export function defineCallCleanup(parts: TelephonyParts): Schedule {
  const { db, queue, clock, settings } = parts;
  return schedule({
    kind: 'telephony.cleanup',
    everyMs: () => (settings.callLogDays() > 0 ? settings.cleanupMinutes() * 60_000 : 0),
    run: () => removeExpired(parts),
    db,
    queue,
    clock,
  });
}

async function removeExpired({ db, clock, settings, logger }: TelephonyParts): Promise<void> {
  const before = isoTime(clock.now() - settings.callLogDays() * DAY_MS);
  for (let removed = 0; ; ) {
    const count = await db.transaction((tx) => removeCallsBefore(tx, before, BATCH));
    removed += count;
    if (count < BATCH) {
      if (removed > 0) logger.info({ removed }, 'calls past their time were removed from the call log');
      return;
    }
  }
}
