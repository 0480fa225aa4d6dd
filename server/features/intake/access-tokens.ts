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
    const grant = JSON.parse(parts.seal.open(row.oauth, contextOf(id))) as MailGrant;
    try {
      const { accessToken, refreshToken } = await parts.renewToken(grant);
      const isNew = refreshToken !== null && refreshToken !== grant.refresh_token;
      const oauth = isNew ? sealGrant(parts, id, { ...grant, refresh_token: refreshToken }) : row.oauth;
      if (isNew || row.oauth_problem !== null) await saveOAuth(parts, row, { oauth, oauth_problem: null });
      return accessToken;
    } catch (error) {
      if (error instanceof TokenRefusedError && error.needsPerson)
        await saveOAuth(parts, row, { oauth: row.oauth, oauth_problem: error.message });
      throw error;
    }
  };
}

/** Saves the changes while the connector still has the sign-in that was used. */
async function saveOAuth(
  { db }: Pick<IntakeParts, 'db'>,
  { id, oauth }: ConnectorRow,
  changes: Pick<ConnectorRow, 'oauth' | 'oauth_problem'>,
): Promise<void> {
  await db.transaction((tx) => recordOAuth(tx, { id, oauth }, changes));
}
