import type { Request } from 'express';
import type { RouteDefinition } from '../../../../shared/api/route.ts';
import type { CredentialKind } from '../../../../shared/credential-kinds.ts';
import { type Clock, epochOf, isoTime } from '../../../platform/clock.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { type AuthenticatedCaller, createAuthenticatedCaller } from '../authenticated-caller.ts';
import { lastEndOf } from '../keys/key-rules.ts';
import { readKeyToken } from '../keys/key-token.ts';
import { setKeyUsed } from '../store/keys.ts';
import type { CallerCache, RememberedCaller } from './caller-cache.ts';
import { type InstallationKey, type InstallationKeyUse, installationCaller } from './installation-key.ts';
import type { LastUse } from './last-use.ts';
import { addressOf } from './origins.ts';
import type { KeyVerifier, VerifiedKey } from './verify-key.ts';

const MINUTE_MS = 60_000;

export interface KeyAuthenticationParts {
  clock: Clock;
  cache: CallerCache;
  keys: KeyVerifier;
  installationKey: InstallationKey;
  lastUse: LastUse;
}

/** Returns the caller of a presented key. A cached key costs one hash and one lookup. Throws a 401 refusal. */
type AuthenticateKey = (token: string, request: Request, asked: MatchedRoute) => Promise<AuthenticatedCaller>;

/** Route that a request matches; `isRecheck` when the request was authenticated before. */
export interface MatchedRoute {
  readonly route: Pick<RouteDefinition, 'method' | 'path' | 'passive' | 'answer'>;
  readonly isRecheck: boolean;
}

/**
 * Returns the key that a request presents: `X-API-Key`, otherwise a bearer token. Beside a cookie, a token that is no API key
 * is left out: proxies add tokens of their own to the requests of browsers. Null when there is none.
 */
export function presentedKey({ headers }: Request): string | null {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  if (headers.authorization === undefined) return null;
  const [, token = null] = /^bearer +(\S+) *$/iu.exec(headers.authorization) ?? [];
  const isOfProxy = token !== null && headers.cookie !== undefined && readKeyToken(token) === null;
  return isOfProxy ? null : token;
}

/** Builds the record of a use of the installation key. */
export const describeKeyUse = (
  { route }: MatchedRoute,
  credentialKind: CredentialKind,
  policyVersion: number,
): InstallationKeyUse => ({ credentialKind, route: `${route.method} ${route.path}`, policyVersion });

export function createKeyAuthentication(parts: KeyAuthenticationParts): AuthenticateKey {
  const { cache, clock } = parts;

  const verify = async (token: string, tokenHash: string, request: Request): Promise<RememberedCaller> => {
    const { epoch, policyVersion } = cache;
    const entry = remember(await parts.keys.verify(token, addressOf(request)), policyVersion);
    cache.remember(tokenHash, entry, epoch);
    return entry;
  };

  const recordUse = (entry: RememberedCaller, now: number): void => {
    const { keyId } = entry.caller;
    if (keyId === null || Math.abs(now - entry.lastNotedMs) < MINUTE_MS) return;
    entry.lastNotedMs = now;
    parts.lastUse.record((tx) => setKeyUsed(tx, keyId, isoTime(now)));
  };

  return async (token, request, asked) => {
    const tokenHash = sha256Hex(token);
    let entry = cache.get(tokenHash);
    if (!entry) {
      if (parts.installationKey.fits(tokenHash)) {
        const { policyVersion } = cache;
        if (!asked.isRecheck)
          await parts.installationKey.recordUse(
            request,
            describeKeyUse(asked, 'installation_key', policyVersion),
          );
        return installationCaller(policyVersion);
      }
      entry = await verify(token, tokenHash, request);
    }
    const now = clock.now();
    // The store distinguishes which of its end times has passed.
    if (now >= entry.expiresMs) entry = await verify(token, tokenHash, request);
    recordUse(entry, now);
    return entry.caller;
  };
}

function remember(
  { key, owner, grants, twoFactorSetupRequired }: VerifiedKey,
  policyVersion: number,
): RememberedCaller {
  const end = lastEndOf(key);
  const noted = key.lastUsedAt === null ? Number.NEGATIVE_INFINITY : epochOf(key.lastUsedAt);
  return {
    caller: createAuthenticatedCaller({
      principal: owner,
      credential: { kind: 'key', id: key.keyId },
      policyVersion,
      grants,
      session: null,
      keyId: key.keyId,
      ceiling: key.ceiling,
      isTest: key.isTest,
      passwordChangeRequired: owner.passwordChangeRequired,
      twoFactorSetupRequired,
    }),
    expiresMs: end === null ? Number.POSITIVE_INFINITY : epochOf(end),
    lastSeenMs: noted,
    lastNotedMs: noted,
  };
}
