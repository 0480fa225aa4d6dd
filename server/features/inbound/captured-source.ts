import type { Seal } from '../../platform/seal.ts';
import type { InboundParts } from './parts.ts';
import type { Receiver } from './port.ts';
import type { FaxRow, SourcedFax } from './types.ts';

const contextOf = (faxId: string) => `inbound:${faxId}`;

/** Seals the source of a document: the account of a provider, or data that only another source can interpret. */
export function sealSource(seal: Seal, faxId: string, source: unknown): string {
  return seal.seal(JSON.stringify(source), contextOf(faxId));
}

/** Opens the sealed source of a document; null when nothing is left at the source. */
export function openSource(seal: Seal, { id, captured }: Pick<FaxRow, 'id' | 'captured'>): unknown {
  return captured === null ? null : JSON.parse(seal.open(captured, contextOf(id)));
}

/** A fax for the room that has its document. */
export function sourcedFax({ seal }: Pick<InboundParts, 'seal'>, row: FaxRow): SourcedFax {
  const { id, status, failures } = row;
  return { id, status, failures, source: () => openSource(seal, row) };
}

/**
 * Returns the provider and account to fetch the document of a fax with: the account it came through, with current
 * credentials while the settings still name it, else with the captured ones. Null when this release has no such
 * provider.
 */
export function receiverOf(
  parts: InboundParts,
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
