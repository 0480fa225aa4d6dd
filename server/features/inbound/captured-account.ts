import type { ReceivingAccount } from '../../adapters/providers/receiving-port.ts';
import type { Seal } from '../../platform/seal.ts';
import type { InboundParts } from './parts.ts';
import type { Receiver } from './port.ts';
import type { FaxRow } from './types.ts';

const contextOf = (faxId: string) => `inbound:${faxId}`;

export function sealAccount(seal: Seal, faxId: string, account: ReceivingAccount): string {
  return seal.seal(JSON.stringify(account), contextOf(faxId));
}

/**
 * What to fetch the document of a fax with: the account it came through, with today's credentials while the settings
 * still name it, else with those of then. Null when this release has no such provider.
 */
export function receiverOf(
  parts: InboundParts,
  row: FaxRow,
): { provider: Receiver['provider']; account: ReceivingAccount } | null {
  const receiver = parts.receivers[row.backend];
  if (!receiver) return null;
  const account = receiver.account();
  if (typeof account !== 'string' && account.accountId === row.provider_account)
    return { provider: receiver.provider, account };
  if (row.captured === null) return null;
  const captured = JSON.parse(parts.seal.open(row.captured, contextOf(row.id))) as ReceivingAccount;
  return { provider: receiver.provider, account: captured };
}
