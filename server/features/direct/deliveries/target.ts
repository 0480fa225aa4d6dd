import type { PeerTarget } from '../../../adapters/peers/port.ts';
import type { PartnerRow } from '../types.ts';
import type { SendingParts } from './parts.ts';

/** Returns the address of a partner, as the settings allow to reach it now. */
export function targetOf(
  { settings, signal }: Pick<SendingParts, 'settings' | 'signal'>,
  { endpoint }: Pick<PartnerRow, 'endpoint'>,
): PeerTarget {
  return { endpoint, allowPrivate: settings.allowsPrivate(), signal };
}
