import { type Schedule, schedule } from '../../../jobs/schedule.ts';
import { isoTime } from '../../../platform/clock.ts';
import { originalArtifact } from '../kept-original.ts';
import type { OutboundParts } from '../parts.ts';
import { forgetArtifact, listExpiredArtifacts } from '../store/job-store.ts';
import { encodedArtifact } from '../transmitted-pages.ts';

type Parts = Pick<OutboundParts, 'db' | 'queue' | 'clock' | 'logger' | 'storage' | 'settings'>;

const BATCH = 200;
const DAY_MS = 24 * 3_600_000;

/** Removes the documents of faxes that ended longer ago than ARTIFACT_TTL_DAYS. The record of the fax stays. */
export function defineCleanup(parts: Parts): Schedule {
  const { db, queue, clock, settings } = parts;
  return schedule({
    kind: 'fax.cleanup',
    everyMs: () => (settings.artifactDays() > 0 ? settings.cleanupMinutes() * 60_000 : 0),
    run: () => cleanArtifacts(parts),
    db,
    queue,
    clock,
  });
}

async function cleanArtifacts(parts: Parts): Promise<void> {
  const endedBefore = isoTime(parts.clock.now() - parts.settings.artifactDays() * DAY_MS);
  for (let removed = 0; ; ) {
    const expired = await listExpiredArtifacts(parts.db.read, { endedBefore, limit: BATCH });
    for (const { id, artifact } of expired) {
      // The row first: a document whose row is gone is swept at the next start, a row without its document would lie.
      await parts.db.transaction((tx) => forgetArtifact(tx, id));
      await parts.storage.remove(artifact);
      await parts.storage.remove(encodedArtifact(id));
      await parts.storage.remove(originalArtifact(id));
    }
    removed += expired.length;
    if (expired.length < BATCH) {
      if (removed > 0) parts.logger.info({ removed }, 'documents past their time were removed');
      return;
    }
  }
}
