import type { Request } from 'express';
import type { Authenticator } from '../../../http/caller.ts';
import type { KnownCaller } from '../caller.ts';
import { CredentialError } from '../errors.ts';
import { createKeyAdmission, type KeyAdmissionParts } from './admit-key.ts';
import { createSessionAdmission, type SessionAdmissionParts } from './admit-session.ts';
import { sessionProofOf } from './cookies.ts';
import { developmentCaller } from './installation-key.ts';
import { isSafe, refuseStrangeOrigin } from './origins.ts';

export type AuthenticatorParts = KeyAdmissionParts & SessionAdmissionParts;

/** Recognises the caller of every request: `X-API-Key` first, then the session cookie, then nobody. */
export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const { cache, settings } = parts;
  const admitKey = createKeyAdmission(parts);
  const admitSession = createSessionAdmission(parts);
  const isDevelopment = () => !settings.requireApiKey() && !parts.installationKey.isSet;

  const admitNobody = (request: Request): KnownCaller => {
    if (!isDevelopment()) throw new CredentialError('sign_in_required');
    if (!isSafe(request)) refuseStrangeOrigin(request, settings, parts.listening());
    return developmentCaller(cache.policyVersion);
  };

  const admit = async (request: Request, { passive }: { passive: boolean }): Promise<KnownCaller> => {
    if (!cache.isFresh()) await cache.refresh();
    const key = request.headers['x-api-key'];
    if (typeof key === 'string' && key !== '') return await admitKey(key, request);
    const proof = sessionProofOf(request, settings);
    if (proof === null) return admitNobody(request);
    try {
      return await admitSession(proof, request, { passive });
    } catch (error) {
      // Where nobody needs a credential, a left-over cookie must not be worse than none.
      if (error instanceof CredentialError && isDevelopment()) return admitNobody(request);
      throw error;
    }
  };

  return {
    authenticate: async (request, options) => (await admit(request, options)).inRequest(options.requestId),
  };
}
