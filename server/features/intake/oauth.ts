import type { z } from 'zod';
import type { ConnectorOAuthIn } from '../../../shared/api/intake-oauth.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Caller } from '../access/service.ts';
import { sealGrant } from './access-tokens.ts';
import { assertMayChangeConnectors, getConnector, recordConnector } from './connectors.ts';
import { connectorRefused, noSuchConnector, stale } from './errors.ts';
import type { IntakeParts } from './parts.ts';
import { findConnector, updateConnector } from './store/connector-store.ts';
import type { ConnectorRow } from './types.ts';

export type OAuthFields = z.infer<typeof ConnectorOAuthIn>;

const NO_SIGN_IN_NAME = 'Enter the sign-in name first: the address of the mailbox that sends the e-mails.';

/** Sets the OAuth sign-in, which takes the place of the password. Throws 400, 403, 404 and 409. */
export async function setOAuth(
  parts: IntakeParts,
  caller: Caller,
  id: string,
  { version, ...given }: OAuthFields,
): Promise<ConnectorRow> {
  assertMayChangeConnectors(caller);
  const { client_secret = null, tenant = null, ...rest } = given;
  const grant = { ...rest, client_secret: client_secret || null, tenant: tenant || null };
  return changeOAuth(parts, caller, async (tx) => {
    const before = await getConnector(tx, { id, version });
    if (before.username === '') throw connectorRefused(NO_SIGN_IN_NAME);
    const oauth = sealGrant(parts, id, grant);
    return [before, { oauth_provider: grant.provider, oauth, oauth_problem: null }];
  });
}

/** Removes the OAuth sign-in; a password is used again where there is one. Throws 403 and 404. */
export async function removeOAuth(parts: IntakeParts, caller: Caller, id: string): Promise<ConnectorRow> {
  assertMayChangeConnectors(caller);
  return changeOAuth(parts, caller, async (tx) => {
    const before = await findConnector(tx, id);
    if (!before) throw noSuchConnector();
    return [before, { oauth_provider: null, oauth: null, oauth_problem: null }];
  });
}

type OAuthColumns = Pick<ConnectorRow, 'oauth' | 'oauth_provider' | 'oauth_problem'>;

async function changeOAuth(
  parts: IntakeParts,
  caller: Caller,
  changesOf: (tx: WriteTx) => Promise<[ConnectorRow, OAuthColumns]>,
): Promise<ConnectorRow> {
  return parts.db.transaction(async (tx) => {
    const [before, columns] = await changesOf(tx);
    const untested = { tested_at: null, test_ok: null, test_detail: null } as const;
    const changes = { ...columns, ...untested, updated_at: isoTime(parts.clock.now()) };
    if (!(await updateConnector(tx, before, changes))) throw stale();
    const row = { ...before, ...changes, version: before.version + 1 };
    await recordConnector(parts, tx, caller, { operation: 'connector.change', row });
    return row;
  });
}
