import type { Request } from 'express';
import { ASSISTANT_HEADER, assistantName } from '../../../../shared/assistant.ts';
import type { Authenticator } from '../../../http/caller.ts';
import type { AuthenticatedCaller } from '../authenticated-caller.ts';
import { CredentialError } from '../errors.ts';
import {
  createKeyAuthentication,
  type KeyAuthenticationParts,
  type MatchedRoute,
  presentedKey,
} from './authenticate-key.ts';
import { createSessionAuthentication, type SessionAuthenticationParts } from './authenticate-session.ts';
import { sessionProofOf } from './cookies.ts';
import { developmentCaller } from './installation-key.ts';
import { isOfThisComputer, isSafe, refuseUntrustedOrigin } from './origins.ts';
import type { TerminalKeys } from './terminal-keys.ts';

interface AuthenticatorParts extends KeyAuthenticationParts, SessionAuthenticationParts {
  readonly recordRefusal: Authenticator['recordRefusal'];
  readonly terminalKeys: TerminalKeys;
  /** Returns true when the installation has an owner with a password of their own. */
  readonly hasSettledOwner: () => Promise<boolean>;
}

/** Authenticates the caller of every request: by an API key first, then by the session cookie, else as anonymous. */
export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const { cache, settings } = parts;
  const authenticateKey = createKeyAuthentication(parts);
  const authenticateSession = createSessionAuthentication(parts);
  // No credential is needed in open mode, that is a start without an installation key. It ends when the first owner has
  // chosen a password.
  const isOpenTo = async (request: Request): Promise<boolean> =>
    !parts.installationKey.isSet &&
    isOfThisComputer(request, parts.listening()) &&
    !(await parts.hasSettledOwner());

  const callerWithoutCredential = async (request: Request): Promise<AuthenticatedCaller> => {
    if (!(await isOpenTo(request))) throw new CredentialError('sign_in_required');
    if (!isSafe(request)) refuseUntrustedOrigin(request, settings, parts.listening());
    return developmentCaller(cache.policyVersion);
  };

  const authenticate = async (request: Request, asked: MatchedRoute): Promise<AuthenticatedCaller> => {
    if (!cache.isFresh()) await cache.refresh();
    const key = presentedKey(request);
    if (key !== null)
      return (
        (await parts.terminalKeys.callerOf(key)) ??
        inAssistant(await authenticateKey(key, request, asked), request)
      );
    const proof = sessionProofOf(request, settings);
    if (proof === null) return await callerWithoutCredential(request);
    try {
      return await authenticateSession(proof, request, asked);
    } catch (error) {
      // A leftover cookie must not be worse than none where no credential is needed.
      if (error instanceof CredentialError && (await isOpenTo(request)))
        return await callerWithoutCredential(request);
      throw error;
    }
  };

  return {
    authenticate: async (request, { requestId, route, isRecheck = false }) =>
      (await authenticate(request, { route, isRecheck })).inRequest(requestId),
    onChange: (listener) => cache.onForgotten(listener),
    recordRefusal: parts.recordRefusal,
  };
}

/** Returns the caller of a key as one for whom an assistant acts, where the request says so. */
function inAssistant(caller: AuthenticatedCaller, request: Request): AuthenticatedCaller {
  const program = request.headers[ASSISTANT_HEADER.toLowerCase()];
  if (program === undefined || caller.credential.kind !== 'key') return caller;
  return caller.inAssistant(assistantName(program) ?? 'unnamed');
}
