import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { MAIL_OAUTH_PROVIDERS } from '../mail-server.ts';
import { Connector } from './intake.ts';
import { defineRoute } from './route.ts';
import { IdParams, Version } from './values.ts';

const room = 'intake';
const LIMIT = LIMITS.connector;

const secretOf = (max: number) =>
  z
    .string()
    .trim()
    .regex(/^[!-~]*$/u, 'must have only English letters and no spaces')
    .max(max);

/** Values that a person got at the provider. */
export const ConnectorOAuthIn = z
  .strictObject({
    provider: z.enum(MAIL_OAUTH_PROVIDERS),
    client_id: secretOf(LIMIT.clientId).min(1).describe('client id of the registered application'),
    client_secret: secretOf(LIMIT.password).nullish().describe('null or empty if the application has none'),
    refresh_token: secretOf(LIMIT.refreshToken).min(1),
    tenant: z
      .string()
      .trim()
      .max(LIMIT.tenant)
      .regex(/^[\w.-]*$/u, 'must be the id or domain of a directory')
      .nullish()
      .describe('Microsoft only: id or domain of the directory; any organization if left out'),
    version: Version.describe('version of the connector from the last read'),
  })
  .meta({ id: 'ConnectorOAuthIn' });

export const oauthRoutes = {
  setConnectorOAuth: defineRoute({
    id: 'setConnectorOAuth',
    room,
    method: 'PUT',
    path: '/intake/connectors/:id/oauth',
    summary: 'Set up OAuth 2 sign-in for an e-mail connector instead of a password',
    description:
      'For Microsoft 365 and Google. Also requires inbound:document for the whole installation. The values are stored encrypted and never returned. Faxdesk requests an access token from the provider before each e-mail. If the provider issues a new refresh token, it replaces this one.',
    access: 'settings:write',
    audited: { operation: 'connector.change', target: 'connector', param: 'id' },
    badBody: 'sentence',
    params: IdParams,
    body: ConnectorOAuthIn,
    answer: { status: 200, schema: Connector },
    refusals: ['connector_refused', 'no_such_connector', 'setting_opens_more', 'stale'],
  }),
  removeConnectorOAuth: defineRoute({
    id: 'removeConnectorOAuth',
    room,
    method: 'DELETE',
    path: '/intake/connectors/:id/oauth',
    summary: 'Switch an e-mail connector back to its password',
    description: 'Also requires inbound:document for the whole installation.',
    access: 'settings:write',
    audited: { operation: 'connector.change', target: 'connector', param: 'id' },
    params: IdParams,
    answer: { status: 200, schema: Connector },
    refusals: ['no_such_connector', 'setting_opens_more'],
  }),
} as const;
