import { type Schedule, schedule } from '../../jobs/schedule.ts';
import { isoTime } from '../../platform/clock.ts';
import type { PrintingParts } from './parts.ts';
import { deletePrinted, listOldPrinted } from './store.ts';

const BATCH = 50;
const DAY_MS = 24 * 3_600_000;

/** Removes documents that were printed longer ago than PRINTED_DAYS and not sent. */
export function definePrintedCleanup(parts: PrintingParts): Schedule {
  const { db, queue, clock, settings } = parts;
  return schedule({
    kind: 'printing.cleanup',
    everyMs: () => (settings.printedDays() > 0 ? settings.cleanupMinutes() * 60_000 : 0),
    run: () => removeOld(parts),
    db,
    queue,
    clock,
  });
}

async function removeOld({ db, clock, settings, storage, notifier, logger }: PrintingParts): Promise<void> {
  const before = isoTime(clock.now() - settings.printedDays() * DAY_MS);
  let removed = 0;
  for (;;) {
    const old = await listOldPrinted(db.read, before, BATCH);
    for (const { id, owner_id, version, artifact } of old) {
      await db.transaction(async (tx) => {
        if (await deletePrinted(tx, id)) notifier.notify(tx, { id, version: version + 1, ownerId: owner_id });
      });
      await storage.remove(artifact);
    }
    removed += old.length;
    if (old.length < BATCH) break;
  }
  if (removed > 0) logger.info({ removed }, 'printed documents past their time were removed');
}
