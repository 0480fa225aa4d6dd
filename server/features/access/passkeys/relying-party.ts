import { isIP } from 'node:net';
import type { ConnectionKind } from '../authentication/origins.ts';
import { AccessConflictError } from '../errors.ts';

/** For whom a passkey is: the page, and the name that it is bound to. */
export interface RelyingParty {
  /** Such as `https://fax.example:8443`. */
  readonly origin: string;
  /** The host name alone. */
  readonly id: string;
}

/**
 * Returns the relying party for a page whose origin was checked, by its kind of connection. Throws a 409 refusal where
 * browsers have no passkeys: at a bare IP address, and without HTTPS anywhere but at `localhost`.
 */
export function relyingPartyOf(origin: string, kind: ConnectionKind): RelyingParty {
  const { hostname, protocol } = new URL(origin);
  if (isIP(hostname.replace(/^\[(.*)\]$/u, '$1')) !== 0) throw new AccessConflictError('passkey_needs_name');
  const isSecure = protocol === 'https:' || (kind === 'loopback' && hostname === 'localhost');
  if (!isSecure) throw new AccessConflictError('passkey_needs_https');
  return { origin, id: hostname };
}
