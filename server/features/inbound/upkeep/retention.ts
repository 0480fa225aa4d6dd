import { type Schedule, schedule } from '../../../jobs/schedule.ts';
import { isoTime } from '../../../platform/clock.ts';
import { type ChangeParts, change, SYSTEM } from '../changes.ts';
import type { InboundParts } from '../parts.ts';
import { findFax, listExpired } from '../store/fax-store.ts';
import { changeOriginal, findOriginal } from '../store/original-store.ts';

type RetentionParts = ChangeParts & Pick<InboundParts, 'queue' | 'settings' | 'storage' | 'logger'>;

const BATCH = 200;
const DAY_MS = 24 * 3_600_000;

/** Removes the documents of faxes that were received longer ago than INBOUND_RETENTION_DAYS. The record stays. */
export function defineRetention(parts: RetentionParts): Schedule {
  const { db, queue, clock, settings } = parts;
  return schedule({
    kind: 'inbound.cleanup',
    everyMs: () => (settings.retentionDays() > 0 ? settings.cleanupMinutes() * 60_000 : 0),
    run: () => removeExpired(parts),
    db,
    queue,
    clock,
  });
}

async function removeExpired(parts: Omit<RetentionParts, 'queue'>): Promise<void> {
  const before = isoTime(parts.clock.now() - parts.settings.retentionDays() * DAY_MS);
  for (let removed = 0; ; ) {
    const expired = await listExpired(parts.db.read, { before, limit: BATCH });
    for (const { id, document } of expired) {
      let original: string | null = null;
      // The row first: a document whose row is gone is swept at the next start, a row without its document would lie.
      await parts.db.transaction(async (tx) => {
        const row = await findFax(tx, id);
        if (row?.document !== document) return;
        const text = 'The document was removed automatically when its retention time ended.';
        original = (await findOriginal(tx, id))?.document ?? null;
        if (original !== null) await changeOriginal(tx, id, { document: null });
        await change(parts, tx, row, { document: null }, { kind: 'expired', actor: SYSTEM, text });
      });
      await parts.storage.remove(document ?? '');
      if (original !== null) await parts.storage.remove(original);
    }
    removed += expired.length;
    if (expired.length < BATCH) {
      if (removed > 0) parts.logger.info({ removed }, 'received documents past their time were removed');
      return;
    }
  }
}
