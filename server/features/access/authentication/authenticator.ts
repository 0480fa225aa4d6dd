import type { Request } from 'express';
import type { Authenticator } from '../../../http/caller.ts';
import type { AuthenticatedCaller } from '../authenticated-caller.ts';
import { CredentialError } from '../errors.ts';
import { type AskedRoute, createKeyAuthentication, type KeyAuthenticationParts } from './authenticate-key.ts';
import { createSessionAuthentication, type SessionAuthenticationParts } from './authenticate-session.ts';
import { sessionProofOf } from './cookies.ts';
import { developmentCaller } from './installation-key.ts';
import { isSafe, refuseUntrustedOrigin } from './origins.ts';

export type AuthenticatorParts = KeyAuthenticationParts &
  SessionAuthenticationParts & { readonly recordRefusal: Authenticator['recordRefusal'] };

/** Authenticates the caller of every request: `X-API-Key` first, then the session cookie, then nobody. */
export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const { cache, settings } = parts;
  const authenticateKey = createKeyAuthentication(parts);
  const authenticateSession = createSessionAuthentication(parts);
  const isDevelopment = () => !settings.requireApiKey() && !parts.installationKey.isSet;

  const callerWithoutCredential = (request: Request): AuthenticatedCaller => {
    if (!isDevelopment()) throw new CredentialError('sign_in_required');
    if (!isSafe(request)) refuseUntrustedOrigin(request, settings, parts.listening());
    return developmentCaller(cache.policyVersion);
  };

  const authenticate = async (request: Request, asked: AskedRoute): Promise<AuthenticatedCaller> => {
    if (!cache.isFresh()) await cache.refresh();
    const key = request.headers['x-api-key'];
    if (typeof key === 'string' && key !== '') return await authenticateKey(key, request, asked);
    const proof = sessionProofOf(request, settings);
    if (proof === null) return callerWithoutCredential(request);
    try {
      return await authenticateSession(proof, request, asked);
    } catch (error) {
      // Where nobody needs a credential, a left-over cookie must not be worse than none.
      if (error instanceof CredentialError && isDevelopment()) return callerWithoutCredential(request);
      throw error;
    }
  };

  return {
    authenticate: async (request, { requestId, route, again = false }) =>
      (await authenticate(request, { route, again })).inRequest(requestId),
    recordRefusal: parts.recordRefusal,
  };
}
