import { type Schedule, schedule } from '../../../jobs/schedule.ts';
import { holdsOn } from '../../holds/service.ts';
import { type ChangeParts, change, SYSTEM } from '../changes.ts';
import { heldFactsOf, receivedBefore } from '../legal-hold.ts';
import type { InboundParts } from '../parts.ts';
import { findFax, listExpired } from '../store/fax-store.ts';
import { changeOriginal, findOriginal } from '../store/original-store.ts';
import type { FaxRow } from '../types.ts';

type RetentionParts = ChangeParts & Pick<InboundParts, 'queue' | 'settings' | 'storage' | 'logger' | 'holds'>;

const BATCH = 200;

/** Removes the documents of faxes that were received longer ago than INBOUND_RETENTION_DAYS, but for those under a legal hold. The record stays. */
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
  const before = receivedBefore(parts);
  if (before === null) return;
  for (let removed = 0; ; ) {
    const holds = await parts.holds.open(parts.db.read);
    const expired = await listExpired(parts.db.read, { before, holds, limit: BATCH });
    for (const fax of expired) if (await removeDocument(parts, fax)) removed += 1;
    if (expired.length < BATCH) {
      if (removed > 0) parts.logger.info({ removed }, 'received documents past their time were removed');
      return;
    }
  }
}

/** Returns false for a fax that came under a legal hold or changed its document meanwhile. */
async function removeDocument(
  parts: Omit<RetentionParts, 'queue'>,
  { id, document }: FaxRow,
): Promise<boolean> {
  // The row first: a document whose row is gone is swept at the next start, a row without its document would lie.
  const documents = await parts.db.transaction(async (tx) => {
    await parts.holds.lock(tx);
    const row = await findFax(tx, id);
    if (row?.document !== document || document === null) return [];
    if (holdsOn(await parts.holds.open(tx), heldFactsOf(row)).length > 0) return [];
    const text = 'The document was removed automatically when its retention time ended.';
    const original = (await findOriginal(tx, id))?.document ?? null;
    if (original !== null) await changeOriginal(tx, id, { document: null });
    await change(parts, tx, row, { document: null }, { kind: 'expired', actor: SYSTEM, text });
    return original === null ? [document] : [document, original];
  });
  for (const name of documents) await parts.storage.remove(name);
  return documents.length > 0;
}
