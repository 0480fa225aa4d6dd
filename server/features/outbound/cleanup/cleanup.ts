import { type Schedule, schedule } from '../../../jobs/schedule.ts';
import { holdsOn } from '../../holds/service.ts';
import { originalArtifact } from '../kept-original.ts';
import { artifactsEndedBefore, heldFactsOf } from '../legal-hold.ts';
import type { OutboundParts } from '../parts.ts';
import { findJob, forgetArtifact, listExpiredArtifacts } from '../store/job-store.ts';
import { encodedArtifact } from '../transmitted-pages.ts';

type Parts = Pick<OutboundParts, 'db' | 'queue' | 'clock' | 'logger' | 'storage' | 'settings' | 'holds'>;

const BATCH = 200;

/** Removes the documents of faxes that ended longer ago than ARTIFACT_TTL_DAYS and are under no legal hold. The record stays. */
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
  const endedBefore = artifactsEndedBefore(parts);
  if (endedBefore === null) return;
  for (let removed = 0; ; ) {
    const holds = await parts.holds.open(parts.db.read);
    const expired = await listExpiredArtifacts(parts.db.read, { endedBefore, holds, limit: BATCH });
    for (const fax of expired) if (await removeDocument(parts, fax)) removed += 1;
    if (expired.length < BATCH) {
      if (removed > 0) parts.logger.info({ removed }, 'documents past their time were removed');
      return;
    }
  }
}

/** Returns false for a fax that came under a legal hold meanwhile. */
async function removeDocument(
  parts: Parts,
  { id, artifact }: { id: string; artifact: string },
): Promise<boolean> {
  // The row first: a document whose row is gone is swept at the next start, a row without its document would lie.
  const isRemoved = await parts.db.transaction(async (tx) => {
    await parts.holds.lock(tx);
    const job = await findJob(tx, id);
    if (!job || holdsOn(await parts.holds.open(tx), heldFactsOf(job)).length > 0) return false;
    await forgetArtifact(tx, id);
    return true;
  });
  if (!isRemoved) return false;
  await parts.storage.remove(artifact);
  await parts.storage.remove(encodedArtifact(id));
  await parts.storage.remove(originalArtifact(id));
  return true;
}
