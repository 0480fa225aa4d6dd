import type { Request } from 'express';
import { ACCESS_MESSAGES } from '../../../shared/api/access.ts';
import { FIXED_MESSAGES } from '../../../shared/api/errors.ts';
import type { Authenticator, Caller } from '../../http/caller.ts';
import { type Clock, epochOf, isoTime } from '../../platform/clock.ts';
import { equalInConstantTime, sha256Hex } from '../../platform/hash.ts';
import { KnownCaller } from './caller.ts';
import type { CallerCache, RememberedCaller } from './caller-cache.ts';
import { sessionTokenOf } from './cookies.ts';
import { CredentialError, NotAllowedError } from './errors.ts';
import { developmentCaller, type InstallationKey, installationCaller } from './installation-key.ts';
import type { LastUse } from './last-use.ts';
import { addressOf, type Listening, refuseStrangeOrigin } from './origins.ts';
import type { KeyRecogniser, RecognisedKey } from './recognise-key.ts';
import { csrfTokenOf, isIdle, type RecognisedSession, type SessionRecogniser } from './recognise-session.ts';
import { setKeyUsed } from './store/keys.ts';
import { BOOTSTRAP_ID } from './store/principals.ts';
import { setSessionUsed } from './store/sessions.ts';
import type { AccessSettings, Principal } from './types.ts';

const MINUTE_MS = 60_000;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Keeps the hashes of keys and of session tokens apart in the cache. */
const SESSION_PREFIX = 's:';

export interface AuthenticatorParts {
  clock: Clock;
  settings: AccessSettings;
  listening: () => Listening;
  cache: CallerCache;
  keys: KeyRecogniser;
  sessions: SessionRecogniser;
  installationKey: InstallationKey;
  lastUse: LastUse;
}

/** Recognises the caller of every request: `X-API-Key` first, then the session cookie, then nobody. */
export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const { cache, clock, settings } = parts;

  const byKey = async (token: string, request: Request): Promise<KnownCaller> => {
    const tokenHash = sha256Hex(token);
    const entry = cache.get(tokenHash) ?? (await recogniseKey(token, tokenHash));
    if (entry === null) {
      const route = `${request.method} ${request.path}`;
      await parts.installationKey.noteUse({
        address: addressOf(request),
        credentialKind: 'installation_key',
        route,
      });
      return installationCaller(cache.policyVersion);
    }
    const now = clock.now();
    if (now >= entry.expiresMs) throw new CredentialError(ACCESS_MESSAGES.expiredKey);
    noteKeyUse(entry, now);
    return entry.caller;
  };

  /** Null for the installation key. */
  const recogniseKey = async (token: string, tokenHash: string): Promise<RememberedCaller | null> => {
    if (parts.installationKey.fits(tokenHash)) return null;
    const { epoch } = cache;
    const entry = rememberKey(await parts.keys.recognise(token), cache.policyVersion);
    cache.remember(tokenHash, entry, epoch);
    return entry;
  };

  const noteKeyUse = (entry: RememberedCaller, now: number): void => {
    const { keyId } = entry.caller;
    if (keyId === null || Math.abs(now - entry.lastNotedMs) < MINUTE_MS) return;
    entry.lastNotedMs = now;
    parts.lastUse.note((tx) => setKeyUsed(tx, keyId, isoTime(now)));
  };

  const bySession = async (token: string, request: Request): Promise<KnownCaller> => {
    const cacheKey = SESSION_PREFIX + sha256Hex(token);
    let entry = cache.get(cacheKey);
    const now = clock.now();
    // Another process may have seen the person meanwhile: a session is idle only when the store says so.
    if (!entry || isIdle(entry.lastSeenMs, now, settings)) entry = await recogniseSession(token, cacheKey);
    if (now >= entry.expiresMs) throw new CredentialError(ACCESS_MESSAGES.endedSession);
    if (!SAFE_METHODS.has(request.method)) refuseForgery(entry.caller, request);
    if (entry.caller.principal.id === BOOTSTRAP_ID) {
      const route = `${request.method} ${request.path}`;
      await parts.installationKey.noteUse({ address: addressOf(request), credentialKind: 'session', route });
    }
    noteSessionUse(entry, now);
    return entry.caller;
  };

  const recogniseSession = async (token: string, cacheKey: string): Promise<RememberedCaller> => {
    const { epoch } = cache;
    cache.forget(cacheKey);
    const entry = rememberSession(await parts.sessions.recognise(token), token, cache.policyVersion);
    cache.remember(cacheKey, entry, epoch);
    return entry;
  };

  const refuseForgery = (caller: KnownCaller, request: Request): void => {
    refuseStrangeOrigin(request, settings, parts.listening());
    const presented = request.headers['x-csrf-token'];
    const expected = caller.session?.csrfToken ?? '';
    if (typeof presented !== 'string' || !equalInConstantTime(presented, expected))
      throw new NotAllowedError(ACCESS_MESSAGES.csrf);
  };

  const noteSessionUse = (entry: RememberedCaller, now: number): void => {
    const id = entry.caller.session?.id ?? '';
    entry.lastSeenMs = Math.max(entry.lastSeenMs, now);
    const every = Math.min(MINUTE_MS, (settings.sessionIdleMinutes() * MINUTE_MS) / 4);
    if (Math.abs(now - entry.lastNotedMs) < every) return;
    entry.lastNotedMs = now;
    parts.lastUse.note((tx) => setSessionUsed(tx, id, isoTime(now)));
  };

  const isDevelopment = () => !settings.requireApiKey() && !parts.installationKey.isSet;

  const byNobody = (request: Request): KnownCaller => {
    if (!isDevelopment()) throw new CredentialError(FIXED_MESSAGES.noCredential);
    if (!SAFE_METHODS.has(request.method)) refuseStrangeOrigin(request, settings, parts.listening());
    return developmentCaller(cache.policyVersion);
  };

  return {
    async authenticate(request: Request): Promise<Caller> {
      if (!cache.isFresh()) await cache.refresh();
      const key = request.headers['x-api-key'];
      if (typeof key === 'string' && key !== '') return await byKey(key, request);
      const token = sessionTokenOf(request, settings);
      if (token === null) return byNobody(request);
      try {
        return await bySession(token, request);
      } catch (error) {
        // Where nobody needs a credential, a left-over cookie must not be worse than none.
        if (error instanceof CredentialError && isDevelopment()) return byNobody(request);
        throw error;
      }
    },
  };
}

function rememberKey({ key, owner, grants }: RecognisedKey, policyVersion: number): RememberedCaller {
  const noted = key.lastUsedAt === null ? Number.NEGATIVE_INFINITY : epochOf(key.lastUsedAt);
  return {
    caller: new KnownCaller({
      principal: principalOf(owner),
      credential: { kind: 'key', id: key.keyId },
      policyVersion,
      grants,
      session: null,
      keyId: key.keyId,
      passwordChangeRequired: owner.passwordChangeRequired,
    }),
    expiresMs: key.expiresAt === null ? Number.POSITIVE_INFINITY : epochOf(key.expiresAt),
    lastSeenMs: noted,
    lastNotedMs: noted,
  };
}

function rememberSession(
  { session, principal, grants }: RecognisedSession,
  token: string,
  policyVersion: number,
): RememberedCaller {
  const lastUsedMs = epochOf(session.last_used_at);
  return {
    caller: new KnownCaller({
      principal: principalOf(principal),
      credential: { kind: 'session', id: session.id },
      policyVersion,
      grants,
      session: {
        id: session.id,
        sourceKind: session.source_kind,
        expiresAt: session.expires_at,
        csrfToken: csrfTokenOf(token),
      },
      keyId: session.source_key_id,
      passwordChangeRequired: principal.passwordChangeRequired,
    }),
    expiresMs: epochOf(session.expires_at),
    lastSeenMs: lastUsedMs,
    lastNotedMs: lastUsedMs,
  };
}

function principalOf(principal: Principal): Caller['principal'] {
  const { id, kind, displayName, version } = principal;
  return { id, kind, displayName, version };
}
