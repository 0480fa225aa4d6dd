import type { Seal } from '../../platform/seal.ts';
import type { InboundParts } from './parts.ts';
import type { Receiver } from './port.ts';
import type { FaxRow, SourcedFax } from './types.ts';

const contextOf = (faxId: string) => `inbound:${faxId}`;

/** Only whoever has the document knows what is in it: the account of a provider, or what another source needs. */
export function sealSource(seal: Seal, faxId: string, source: unknown): string {
  return seal.seal(JSON.stringify(source), contextOf(faxId));
}

/** What was sealed; null when nothing is left at the source. */
export function openSource(seal: Seal, { id, captured }: Pick<FaxRow, 'id' | 'captured'>): unknown {
  return captured === null ? null : JSON.parse(seal.open(captured, contextOf(id)));
}

/** A fax for the room that has its document. */
export function sourcedFax({ seal }: Pick<InboundParts, 'seal'>, row: FaxRow): SourcedFax {
  const { id, status, failures } = row;
  return { id, status, failures, source: () => openSource(seal, row) };
}

/**
 * What to fetch the document of a fax with: the account it came through, with today's credentials while the settings
 * still name it, else with those of then. Null when this release has no such provider.
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
