import type { Session } from 'electron';
import { PAGE_TOKEN_HEADER } from '../shared/page-token.ts';
import type { OwnGateway } from './gateway.ts';

/**
 * Signs the window in with the installation key, through its session, so that the cookie is set there and no page sees
 * the key; for pages that hold `pageToken`. Returns false when the installation has an owner already, or the gateway
 * refuses.
 */
export async function signInFirstOwner(
  gateway: OwnGateway,
  session: Session,
  pageToken: string,
): Promise<boolean> {
  const key = await gateway.firstOwnerKey();
  if (key === null || gateway.state.kind !== 'running') return false;
  const { origin } = gateway.state;
  const response = await session.fetch(`${origin}/auth/key-login`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json', [PAGE_TOKEN_HEADER]: pageToken },
    body: JSON.stringify({ api_key: key }),
    credentials: 'include',
    redirect: 'error',
  });
  return response.ok;
}
