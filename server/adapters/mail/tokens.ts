import { z } from 'zod';
import type { MailOAuthProvider } from '../../../shared/mail-server.ts';
import { INVISIBLE_CHARACTERS } from '../../../shared/visible-text.ts';
import { createHttpClient, type HttpClient, HttpFailure } from '../../platform/http-client.ts';
import {
  type MailGrant,
  type RenewedToken,
  type RenewToken,
  type TokenAddresses,
  TokenRefusedError,
} from './port.ts';

const TOKEN_ADDRESSES: TokenAddresses = {
  google: 'https://oauth2.googleapis.com/token',
  microsoft: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
};

const PROVIDER_NAMES: Readonly<Record<MailOAuthProvider, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
};

const ANY_ORGANIZATION = 'organizations';
/** OAuth scope requested from Microsoft; grants of Google carry theirs. */
const MICROSOFT_SCOPE = 'https://outlook.office.com/SMTP.Send offline_access';
const MAX_ANSWER_BYTES = 64 * 1024;
/** Of a token that says nothing of it. */
const DEFAULT_LIFETIME_S = 3_600;
const MAX_DESCRIPTION_LENGTH = 300;

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(DEFAULT_LIFETIME_S),
  refresh_token: z.string().min(1).nullish(),
});
const TokenError = z.object({ error: z.string(), error_description: z.string().catch('') });

/** Creates the client for token endpoints, over HTTPS. Tests pass other addresses. */
export function createTokenClient(addresses: TokenAddresses = TOKEN_ADDRESSES): RenewToken {
  const http = createHttpClient();
  return (grant) => renewToken(http, addresses, grant);
}

async function renewToken(
  http: HttpClient,
  addresses: TokenAddresses,
  grant: MailGrant,
): Promise<RenewedToken> {
  const url = addresses[grant.provider].replace(
    '{tenant}',
    encodeURIComponent(grant.tenant ?? ANY_ORGANIZATION),
  );
  const name = PROVIDER_NAMES[grant.provider];
  const answer = await http
    .request({ method: 'POST', url, body: bodyOf(grant), maxAnswerBytes: MAX_ANSWER_BYTES })
    .catch((error: unknown) => {
      if (error instanceof HttpFailure) throw unreachableError(name);
      throw error;
    });
  const json = jsonOf(answer.body);
  const given = TokenAnswer.safeParse(json);
  if (answer.status !== 200 || !given.success) throw refusalError(name, answer.status, json);
  const { access_token, expires_in, refresh_token } = given.data;
  return { accessToken: access_token, lifetimeMs: expires_in * 1_000, refreshToken: refresh_token ?? null };
}

function bodyOf({ provider, client_id, client_secret, refresh_token }: MailGrant) {
  const form = new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token });
  if (client_secret !== null) form.set('client_secret', client_secret);
  if (provider === 'microsoft') form.set('scope', MICROSOFT_SCOPE);
  const bytes = Buffer.from(form.toString());
  return {
    contentType: 'application/x-www-form-urlencoded',
    contentLength: bytes.length,
    async *chunks() {
      yield bytes;
    },
  };
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

const unreachableError = (name: string) =>
  new TokenRefusedError(`Faxdesk could not reach ${name} for an access token.`, { needsPerson: false });

/** RFC 6749, section 5.2. */
function refusalError(name: string, status: number, json: unknown): TokenRefusedError {
  const refused = TokenError.safeParse(json);
  if (status >= 500 || status === 429 || !refused.success)
    return new TokenRefusedError(`${name} did not issue an access token (${status}).`, {
      needsPerson: false,
    });
  const { error, error_description } = refused.data;
  const description = quoteDescription(error_description);
  if (error === 'invalid_grant' || error === 'interaction_required')
    return new TokenRefusedError(
      `${name} no longer accepts the sign-in: it expired or was revoked. Sign in again${description}.`,
      { needsPerson: true },
    );
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return new TokenRefusedError(
      `${name} does not accept the client ID or its secret, which may have expired${description}.`,
      { needsPerson: true },
    );
  return new TokenRefusedError(
    `${name} did not issue an access token${description || quoteDescription(error)}.`,
    {
      needsPerson: true,
    },
  );
}

/** The first line of what a provider says, without what nobody sees. */
function quoteDescription(description: string): string {
  const [line = ''] = description.split(/[\r\n]/u);
  const words = line
    .replace(INVISIBLE_CHARACTERS, '')
    .trim()
    .slice(0, MAX_DESCRIPTION_LENGTH)
    .replace(/\.+$/u, '');
  return words === '' ? '' : ` (${words})`;
}
