import { imageOf, sealSource } from './captured-account.ts';
import { change } from './changes.ts';
import { fetchNow, freshStart } from './continue-fax.ts';
import type { InboundParts } from './parts.ts';
import { findFax } from './store/fax-store.ts';
import type { EngineSource, FaxRow } from './types.ts';

/** There is one engine with one trunk, and its user has no setting yet; the name stands for it in every fax. */
export const ENGINE_ACCOUNT = 'sip:telephony';

export function engineSource(image: string): EngineSource {
  return { backend: 'sip', accountId: ENGINE_ACCOUNT, image };
}

/**
 * Has the image looked at now, for a fax that is known. One whose document is filed keeps it: the image is then found to be
 * the same or another.
 */
export async function offerImage(parts: InboundParts, faxId: string, image: string): Promise<FaxRow> {
  return parts.db.transaction(async (tx) => {
    const row = await findFax(tx, faxId);
    if (!row) throw new Error(`there is no received fax ${faxId}`);
    const changes = {
      ...(imageOf(parts, row) === image
        ? {}
        : { captured: sealSource(parts.seal, faxId, engineSource(image)) }),
      ...(row.status === 'failed' ? freshStart(parts) : {}),
    };
    const isSame = Object.keys(changes).length === 0;
    const changed = isSame ? row : await change(parts, tx, row, changes, null);
    await fetchNow(parts, tx, faxId);
    return changed;
  });
}
