import { type Schedule, schedule } from '../../jobs/schedule.ts';
import { isoTime } from '../../platform/clock.ts';
import type { DeskParts } from './parts.ts';
import { deleteDraft, listOldDrafts } from './store.ts';

const BATCH = 50;
const DAY_MS = 24 * 3_600_000;

/** Removes drafts that were saved longer ago than DRAFT_DAYS. Templates stay. */
export function defineDraftCleanup(parts: DeskParts): Schedule {
  const { db, queue, clock, settings } = parts;
  return schedule({
    kind: 'desk.cleanup',
    everyMs: () => (settings.draftDays() > 0 ? settings.cleanupMinutes() * 60_000 : 0),
    run: () => removeOld(parts),
    db,
    queue,
    clock,
  });
}

async function removeOld({ db, clock, settings, storage, logger }: DeskParts): Promise<void> {
  const before = isoTime(clock.now() - settings.draftDays() * DAY_MS);
  let removed = 0;
  for (;;) {
    const old = await listOldDrafts(db.read, before, BATCH);
    for (const key of old)
      for (const artifact of (await db.transaction((tx) => deleteDraft(tx, key))) ?? [])
        await storage.remove(artifact);
    removed += old.length;
    if (old.length < BATCH) break;
  }
  if (removed > 0) logger.info({ removed }, 'saved drafts past their time were removed');
}
