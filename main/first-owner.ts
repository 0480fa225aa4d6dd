import type { Session } from 'electron';
import type { OwnGateway } from './gateway.ts';

/**
 * Signs the window in with the installation key, through its session, so that the cookie lands there and no page sees the
 * key. False when somebody owns the installation already, or the gateway refuses.
 */
export async function signInFirstOwner(gateway: OwnGateway, session: Session): Promise<boolean> {
  const key = await gateway.firstOwnerKey();
  if (key === null || gateway.state.kind !== 'running') return false;
  const { origin } = gateway.state;
  const response = await session.fetch(`${origin}/auth/key-login`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: key }),
    credentials: 'include',
    redirect: 'error',
  });
  return response.ok;
}
