import { type Schedule, schedule } from '../../jobs/schedule.ts';
import { isoTime } from '../../platform/clock.ts';
import type { MailToFaxParts } from './parts.ts';
import { deleteOld } from './store/message-store.ts';

const HOUR_MS = 3_600_000;
const KEPT_MS = 90 * 24 * HOUR_MS;
const AT_ONCE = 500;

/** Forgets messages that became no fax 90 days after they came, also while no mailbox is read. */
export function createCleanup({ db, queue, clock }: MailToFaxParts): Schedule {
  return schedule({
    kind: 'mail-to-fax.cleanup',
    everyMs: () => HOUR_MS,
    async run() {
      const before = isoTime(clock.now() - KEPT_MS);
      while ((await db.transaction((tx) => deleteOld(tx, before, AT_ONCE))) === AT_ONCE);
    },
    db,
    queue,
    clock,
  });
}
