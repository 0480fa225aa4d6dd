import { LIMITS } from '../../../shared/limits.ts';
import { type Schedule, schedule } from '../../jobs/schedule.ts';
import { isoTime } from '../../platform/clock.ts';
import type { WebhookParts } from './parts.ts';
import { deleteOldDeliveries, deleteOldEvents } from './store/delivery-store.ts';

const HOUR_MS = 3_600_000;
const KEPT_MS = LIMITS.webhooks.keptDays * 24 * HOUR_MS;
const BATCH = 500;

/** Removes deliveries that ended days ago, and the events that no delivery has any more. */
export function defineCleanup({ db, queue, clock }: WebhookParts): Schedule {
  return schedule({
    kind: 'webhooks.cleanup',
    everyMs: () => HOUR_MS,
    async run() {
      const before = isoTime(clock.now() - KEPT_MS);
      while ((await db.transaction((tx) => deleteOldDeliveries(tx, before, BATCH))) === BATCH);
      // Later than deliveries: an event may wait for its announcement while the gateway is stopped.
      const eventsBefore = isoTime(clock.now() - 2 * KEPT_MS);
      while ((await db.transaction((tx) => deleteOldEvents(tx, eventsBefore, BATCH))) === BATCH);
    },
    db,
    queue,
    clock,
  });
}
