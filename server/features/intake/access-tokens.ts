import { type MailGrant, TokenRefusedError } from '../../adapters/mail/port.ts';
import type { IntakeParts } from './parts.ts';
import { findConnector, recordOAuth } from './store/connector-store.ts';
import type { ConnectorRow } from './types.ts';

const contextOf = (connectorId: string) => `intake_connector.oauth:${connectorId}`;

/** Seals the OAuth grant of a provider for storage with a connector. */
export function sealGrant({ seal }: Pick<IntakeParts, 'seal'>, id: string, grant: MailGrant): string {
  return seal.seal(JSON.stringify(grant), contextOf(id));
}

/** Returns a function that requests an access token from the provider on each call. */
export function tokenSource(
  parts: Pick<IntakeParts, 'db' | 'seal' | 'renewToken'>,
  { id }: Pick<ConnectorRow, 'id'>,
): () => Promise<string> {
  return async () => {
    const row = await findConnector(parts.db.read, id);
    if (!row?.oauth) throw new TokenRefusedError('The OAuth sign-in was removed.', { needsPerson: true });
    const used = parts.seal.open(row.oauth, contextOf(id));
    const grant = JSON.parse(used) as MailGrant;
    try {
      const { accessToken, refreshToken } = await parts.renewToken(grant);
      const isNew = refreshToken !== null && refreshToken !== grant.refresh_token;
      const renewed = isNew ? { ...grant, refresh_token: refreshToken } : null;
      if (isNew || row.oauth_problem !== null)
        await saveOAuth(parts, { id, used }, { renewed, problem: null });
      return accessToken;
    } catch (error) {
      if (error instanceof TokenRefusedError && error.needsPerson)
        await saveOAuth(parts, { id, used }, { renewed: null, problem: error.message });
      throw error;
    }
  };
}

/**
 * Saves the result while the connector still has the sign-in that was used. Compares the opened texts: a replacement of the data
 * key may have sealed the same one anew meanwhile.
 */
async function saveOAuth(
  parts: Pick<IntakeParts, 'db' | 'seal'>,
  { id, used }: { readonly id: string; readonly used: string },
  { renewed, problem }: { readonly renewed: MailGrant | null; readonly problem: string | null },
): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const oauth = (await findConnector(tx, id))?.oauth ?? null;
    if (oauth === null || parts.seal.open(oauth, contextOf(id)) !== used) return;
    const changed = renewed === null ? oauth : sealGrant(parts, id, renewed);
    await recordOAuth(tx, { id, oauth }, { oauth: changed, oauth_problem: problem });
  });
}
