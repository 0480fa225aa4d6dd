import type { PeerTarget } from '../../adapters/peers/port.ts';
import type { DirectParts } from './parts.ts';

/** Returns the address of a partner, as the settings allow it to be reached now. Without `signal` only its time limit ends a request. */
export function targetOf(
  { settings }: Pick<DirectParts, 'settings'>,
  { endpoint }: { readonly endpoint: string },
  signal: AbortSignal = new AbortController().signal,
): PeerTarget {
  return { endpoint, allowPrivate: settings.allowsPrivate(), signal };
}
