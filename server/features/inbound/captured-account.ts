import type { ProviderAccount } from '../../adapters/providers/port.ts';
import type { Seal } from '../../platform/seal.ts';
import type { InboundParts } from './parts.ts';
import type { Receiver } from './port.ts';
import type { EngineSource, FaxRow } from './types.ts';

const contextOf = (faxId: string) => `inbound:${faxId}`;

export function sealSource(seal: Seal, faxId: string, source: ProviderAccount | EngineSource): string {
  return seal.seal(JSON.stringify(source), contextOf(faxId));
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
  return { provider: receiver.provider, account: opened(parts.seal, row.id, row.captured) };
}

/** Where the image of a fax lies that the telephone engine received; null when it is gone. */
export function imageOf({ seal }: Pick<InboundParts, 'seal'>, row: FaxRow): string | null {
  if (row.backend !== 'sip' || row.captured === null) return null;
  return (opened(seal, row.id, row.captured) as EngineSource).image;
}

function opened(seal: Seal, faxId: string, captured: string): unknown {
  return JSON.parse(seal.open(captured, contextOf(faxId)));
}
