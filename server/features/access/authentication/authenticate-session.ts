import type { Request } from 'express';
import { CallerRefusedError } from '../../../http/caller.ts';
import { type Clock, epochOf, isoTime } from '../../../platform/clock.ts';
import { equalInConstantTime, sha256Hex } from '../../../platform/hash.ts';
import { type AuthenticatedCaller, createAuthenticatedCaller } from '../authenticated-caller.ts';
import { CredentialError, NotAllowedError } from '../errors.ts';
import { BOOTSTRAP_ID } from '../store/principals.ts';
import { setSessionUsed } from '../store/sessions.ts';
import type { AccessSettings } from '../types.ts';
import { describeKeyUse, type MatchedRoute } from './authenticate-key.ts';
import type { CallerCache, RememberedCaller } from './caller-cache.ts';
import type { InstallationKey } from './installation-key.ts';
import type { LastUse } from './last-use.ts';
import { isSafe, type Listening, refuseUntrustedOrigin } from './origins.ts';
import { isOfItsPage, pageBindingOf } from './page-token.ts';
import { csrfTokenOf, isIdle, type SessionVerifier, type VerifiedSession } from './verify-session.ts';

const MINUTE_MS = 60_000;
/** Keeps sessions apart from keys in the cache. */
const PREFIX = 's:';

export interface SessionAuthenticationParts {
  clock: Clock;
  settings: AccessSettings;
  listening: () => Listening;
  cache: CallerCache;
  sessions: SessionVerifier;
  installationKey: InstallationKey;
  lastUse: LastUse;
}

/** The caller of a session cookie. Throws 401 for an ended session or one of another page, 403 for a change that another page may have made. */
type AuthenticateSession = (
  proof: string,
  request: Request,
  asked: MatchedRoute,
) => Promise<AuthenticatedCaller>;

export function createSessionAuthentication(parts: SessionAuthenticationParts): AuthenticateSession {
  const { cache, clock, settings } = parts;

  const verify = async (proof: string, cacheKey: string): Promise<RememberedCaller> => {
    const { epoch, policyVersion } = cache;
    cache.forget(cacheKey);
    const entry = remember(await parts.sessions.verify(proof), proof, policyVersion);
    cache.remember(cacheKey, entry, epoch);
    return entry;
  };

  const recordUse = (entry: RememberedCaller, now: number): void => {
    const id = entry.caller.session?.id ?? '';
    entry.lastSeenMs = Math.max(entry.lastSeenMs, now);
    const every = Math.min(MINUTE_MS, (settings.sessionIdleMinutes() * MINUTE_MS) / 4);
    if (Math.abs(now - entry.lastNotedMs) < every) return;
    entry.lastNotedMs = now;
    parts.lastUse.record((tx) => setSessionUsed(tx, id, isoTime(now)));
  };

  return async (proof, request, asked) => {
    const cacheKey = PREFIX + sha256Hex(proof);
    const now = clock.now();
    let entry = cache.get(cacheKey);
    // Another process may have served the person meanwhile: only the store decides whether a session is idle.
    if (!entry || isIdle(entry.lastSeenMs, now, settings)) entry = await verify(proof, cacheKey);
    if (now >= entry.expiresMs) throw new CredentialError('session_ended');
    if (entry.caller.session && !isOfItsPage(entry.caller.session, request, asked.route))
      throw new CredentialError('other_page');
    if (!isSafe(request)) refuseForeign(entry.caller, request, parts);
    if (asked.route.passive) return entry.caller;
    if (entry.caller.principal.id === BOOTSTRAP_ID && !asked.isRecheck)
      await parts.installationKey.recordUse(request, describeKeyUse(asked, 'session', cache.policyVersion));
    recordUse(entry, now);
    return entry.caller;
  };
}

/**
 * Refuses a change that another site's page may have made with the cookie of a signed-in person. Throws a 403 refusal.
 */
function refuseForeign(
  caller: AuthenticatedCaller,
  request: Request,
  { settings, listening }: Pick<SessionAuthenticationParts, 'settings' | 'listening'>,
): void {
  try {
    refuseUntrustedOrigin(request, settings, listening());
  } catch (error) {
    throw error instanceof NotAllowedError ? new CallerRefusedError(caller, error.code) : error;
  }
  refuseWithoutToken(caller, request);
}

function refuseWithoutToken(caller: AuthenticatedCaller, request: Request): void {
  const presented = request.headers['x-csrf-token'];
  const expected = caller.session?.csrfToken ?? '';
  if (typeof presented !== 'string' || !equalInConstantTime(presented, expected))
    throw new CallerRefusedError(caller, 'wrong_csrf_token');
}

function remember(
  { session, principal, grants, ceiling, isTest, twoFactorSetupRequired }: VerifiedSession,
  proof: string,
  policyVersion: number,
): RememberedCaller {
  const lastUsedMs = epochOf(session.last_used_at);
  return {
    caller: createAuthenticatedCaller({
      principal,
      credential: { kind: 'session', id: session.id },
      policyVersion,
      grants,
      session: {
        id: session.id,
        sourceKind: session.source_kind,
        expiresAt: session.expires_at,
        csrfToken: csrfTokenOf(proof, session.page_token_hash),
        ...pageBindingOf(proof, session.page_token_hash),
      },
      keyId: session.source_key_id,
      ceiling,
      isTest,
      passwordChangeRequired: principal.passwordChangeRequired,
      twoFactorSetupRequired,
    }),
    expiresMs: epochOf(session.expires_at),
    lastSeenMs: lastUsedMs,
    lastNotedMs: lastUsedMs,
  };
}
