import { isDeepStrictEqual } from 'node:util';
import type { Seal } from '../../../platform/seal.ts';
import { type ChangeParts, change } from '../changes.ts';
import { fetchNow, restartChanges } from '../fetch-queue.ts';
import type { InboundParts } from '../parts.ts';
import type { DocumentSource, Receiver } from '../port.ts';
import { findFax } from '../store/fax-store.ts';
import type { FaxRow, SourcedFax } from '../types.ts';

const contextOf = (faxId: string) => `inbound:${faxId}`;

/** Seals the source of a document: the account of a provider, or data that only another source can interpret. */
export function sealSource(seal: Seal, faxId: string, source: unknown): string {
  return seal.seal(JSON.stringify(source), contextOf(faxId));
}

/** Opens the sealed source of a document; null when nothing is left at the source. */
function openSource(seal: Seal, { id, captured }: Pick<FaxRow, 'id' | 'captured'>): unknown {
  return captured === null ? null : JSON.parse(seal.open(captured, contextOf(id)));
}

/** Returns a fax as its document source receives it. */
export function sourcedFax({ seal }: Pick<InboundParts, 'seal'>, row: FaxRow): SourcedFax {
  const { id, status, failures } = row;
  return { id, status, failures, source: () => openSource(seal, row) };
}

/**
 * Returns the provider and account to fetch the document of a fax with: the account it came through, with current
 * credentials while the settings still name it, else with the captured ones. Null when this release has no such provider,
 * and when the settings name another account and no credentials are captured.
 */
export function receiverOf(
  parts: Pick<InboundParts, 'receivers' | 'seal'>,
  row: FaxRow,
): { provider: Receiver['provider']; account: unknown } | null {
  const receiver = parts.receivers[row.backend];
  if (!receiver) return null;
  const account = receiver.account();
  if (typeof account !== 'string' && account.accountId === row.provider_account)
    return { provider: receiver.provider, account };
  if (row.captured === null) return null;
  return { provider: receiver.provider, account: openSource(parts.seal, row) };
}

/**
 * Records that the source has a document for an existing fax, and fetches it now. A fax whose document is filed keeps
 * it; the new document then turns out to be the same or another one.
 */
export async function offerSource(
  parts: ChangeParts & Pick<InboundParts, 'queue'>,
  faxId: string,
  source: unknown,
): Promise<FaxRow> {
  return parts.db.transaction(async (tx) => {
    const row = await findFax(tx, faxId);
    if (!row) throw new Error(`there is no received fax ${faxId}`);
    const isKnown = isDeepStrictEqual(openSource(parts.seal, row), source);
    const changes = {
      ...(isKnown ? {} : { captured: sealSource(parts.seal, faxId, source) }),
      ...(row.status === 'failed' ? restartChanges(parts) : {}),
    };
    const hasChanges = Object.keys(changes).length > 0;
    const changed = hasChanges ? await change(parts, tx, row, changes, null) : row;
    await fetchNow(parts, tx, faxId);
    return changed;
  });
}

/** Has the source file the document of a fax, and forgets the source once it is empty. Throws the errors of the source. */
export async function takeDocument(parts: ChangeParts, row: FaxRow, source: DocumentSource): Promise<void> {
  if ((await source.take(sourcedFax(parts, row))) === 'gone') await forgetSource(parts, row);
}

/** Clears the captured source of a fax, unless another was captured in the meantime. */
async function forgetSource(parts: ChangeParts, before: FaxRow): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const row = await findFax(tx, before.id);
    if (row?.status !== 'received' || row.captured === null || row.captured !== before.captured) return;
    await change(parts, tx, row, { captured: null }, null);
  });
}
