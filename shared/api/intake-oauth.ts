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
    .regex(/^[!-~]*$/u, 'must have no spaces and no other letters than those of English')
    .max(max);

/** Values that a person got at the provider. */
export const ConnectorOAuthIn = z
  .strictObject({
    provider: z.enum(MAIL_OAUTH_PROVIDERS),
    client_id: secretOf(LIMIT.clientId).min(1).describe('of the application that was registered there'),
    client_secret: secretOf(LIMIT.password)
      .nullish()
      .describe('null or empty for an application without one'),
    refresh_token: secretOf(LIMIT.refreshToken).min(1),
    tenant: z
      .string()
      .trim()
      .max(LIMIT.tenant)
      .regex(/^[\w.-]*$/u, 'must be the id or the domain of a directory')
      .nullish()
      .describe('of Microsoft: the directory, by id or domain; any organization when left out'),
    version: Version.describe('of the connector as it was read'),
  })
  .meta({ id: 'ConnectorOAuthIn' });

export const oauthRoutes = {
  setConnectorOAuth: defineRoute({
    id: 'setConnectorOAuth',
    room,
    method: 'PUT',
    path: '/intake/connectors/:id/oauth',
    summary: 'Sign an e-mail connector in with OAuth 2 in place of a password',
    description:
      'Takes inbound:document for the whole installation as well. For Microsoft 365 and Google. What is given is sealed and never answered. Before each e-mail the provider is asked for an access token; a new refresh token that it gives takes the place of this one.',
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
    summary: 'Sign an e-mail connector in with its password again',
    description: 'Takes inbound:document for the whole installation as well.',
    access: 'settings:write',
    audited: { operation: 'connector.change', target: 'connector', param: 'id' },
    params: IdParams,
    answer: { status: 200, schema: Connector },
    refusals: ['no_such_connector', 'setting_opens_more'],
  }),
} as const;
