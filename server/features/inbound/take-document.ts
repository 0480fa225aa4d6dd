import { sourcedFax } from './captured-source.ts';
import { change } from './changes.ts';
import type { InboundParts } from './parts.ts';
import type { DocumentSource } from './port.ts';
import { findFax } from './store/fax-store.ts';
import type { FaxRow } from './types.ts';

/** Has the source of a fax take its document and file it. Throws what the source throws. */
export async function takeDocument(parts: InboundParts, row: FaxRow, source: DocumentSource): Promise<void> {
  if ((await source.take(sourcedFax(parts, row))) === 'gone') await forgetSource(parts, row);
}

/** Clears the source of a fax once it is gone. A source captured meanwhile stays. */
async function forgetSource(parts: InboundParts, before: FaxRow): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const row = await findFax(tx, before.id);
    if (row?.status !== 'received' || row.captured === null || row.captured !== before.captured) return;
    await change(parts, tx, row, { captured: null }, null);
  });
}
