import { isDeepStrictEqual } from 'node:util';
import { openSource, sealSource } from './captured-source.ts';
import { change } from './changes.ts';
import { fetchNow, restartChanges } from './continue-fax.ts';
import type { InboundParts } from './parts.ts';
import { findFax } from './store/fax-store.ts';
import type { FaxRow } from './types.ts';

/**
 * Records that the source has a document for an existing fax, and fetches it now. A fax whose document is filed keeps
 * it; the new document then turns out to be the same or another one.
 */
export async function offerSource(parts: InboundParts, faxId: string, source: unknown): Promise<FaxRow> {
  return parts.db.transaction(async (tx) => {
    const row = await findFax(tx, faxId);
    if (!row) throw new Error(`there is no received fax ${faxId}`);
    const isKnown = isDeepStrictEqual(openSource(parts.seal, row), source);
    const changes = {
      ...(isKnown ? {} : { captured: sealSource(parts.seal, faxId, source) }),
      ...(row.status === 'failed' ? restartChanges(parts) : {}),
    };
    const isSame = Object.keys(changes).length === 0;
    const changed = isSame ? row : await change(parts, tx, row, changes, null);
    await fetchNow(parts, tx, faxId);
    return changed;
  });
}
