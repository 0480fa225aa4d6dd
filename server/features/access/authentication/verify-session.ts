import { createHmac } from 'node:crypto';
import type { Database } from '../../../db/database.ts';
import { type Clock, epochOf } from '../../../platform/clock.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { CredentialError } from '../errors.ts';
import type { Resources } from '../resources.ts';
import { effectiveGrants } from '../store/grants.ts';
import { findKey } from '../store/keys.ts';
import { findPrincipal } from '../store/principals.ts';
import { findSessionByToken, type StoredSession } from '../store/sessions.ts';
import { requiresTwoFactor } from '../store/two-factor.ts';
import type { AccessSettings, CeilingEntry, Grants, Principal } from '../types.ts';
import { EVERYTHING } from './installation-key.ts';
import { assertUsable, grantsOfKey } from './verify-key.ts';

const MINUTE_MS = 60_000;

/** A session in force with its person, and what it allows. */
export interface VerifiedSession {
  session: StoredSession;
  principal: Principal;
  grants: Grants;
  /** Ceiling of the key it began with; null when it began otherwise. */
  ceiling: readonly CeilingEntry[] | null;
  /** True when it began with a test key. */
  isTest: boolean;
  /** A role requires a second factor that is not set up. */
  twoFactorSetupRequired: boolean;
}

/** The CSRF token of a session: only who holds the cookie, and the page token where there is one, can have it. */
export function csrfTokenOf(proof: string, pageTokenHash: string | null): string {
  return createHmac('sha256', proof)
    .update(`csrf ${pageTokenHash ?? ''}`)
    .digest('base64url');
}

/** Returns true when a session has been idle too long. */
export function isIdle(lastUsedMs: number, now: number, settings: AccessSettings): boolean {
  return now - lastUsedMs >= idleAfterMs(settings);
}

/** Maximum idle time of a session, in ms. */
export function idleAfterMs(settings: AccessSettings): number {
  return settings.sessionIdleMinutes() * MINUTE_MS;
}

export interface SessionVerifier {
  /** The session of a cookie, by its `sessionProof`. Throws a 401 refusal for an ended, idle or unknown one. */
  verify(proof: string): Promise<VerifiedSession>;
}

export function createSessionVerifier(parts: {
  db: Database;
  clock: Clock;
  settings: AccessSettings;
  resources: Resources;
  hasInstallationKey: boolean;
}): SessionVerifier {
  const ended = () => new CredentialError('session_ended');

  /**
   * Returns the present grants of a session from the credential it began with, read anew: a revoked key ends its
   * sessions.
   */
  const allowedBy = async (
    session: StoredSession,
  ): Promise<Pick<VerifiedSession, 'grants' | 'ceiling' | 'isTest'>> => {
    switch (session.source_kind) {
      case 'password':
      case 'passkey':
      case 'pin':
      case 'card':
        return {
          grants: await effectiveGrants(parts.db.read, session.principal_id),
          ceiling: null,
          isTest: false,
        };
      case 'bootstrap':
        if (!parts.hasInstallationKey) throw ended();
        return { grants: EVERYTHING, ceiling: null, isTest: false };
      case 'key': {
        const key =
          session.source_key_id === null ? null : await findKey(parts.db.read, session.source_key_id);
        if (!key) throw ended();
        assertUsable(key, parts.clock.now());
        // A key cannot sign in where two factors are required, so its session ends as well.
        if (await requiresTwoFactor(parts.db.read, key.principalId)) throw ended();
        const { grants } = await grantsOfKey(parts.db.read, parts.resources, key);
        return { grants, ceiling: key.ceiling, isTest: key.isTest };
      }
      default:
        return session.source_kind satisfies never;
    }
  };

  return {
    async verify(proof) {
      const session = await findSessionByToken(parts.db.read, sha256Hex(proof));
      const now = parts.clock.now();
      if (!session || session.revoked_at !== null || now >= epochOf(session.expires_at)) throw ended();
      if (isIdle(epochOf(session.last_used_at), now, parts.settings)) throw ended();
      const principal = await findPrincipal(parts.db.read, session.principal_id);
      if (!principal?.enabled) throw ended();
      const twoFactorSetupRequired =
        session.source_kind === 'password' &&
        !principal.hasTwoFactor &&
        (await requiresTwoFactor(parts.db.read, principal.id));
      return { session, principal, ...(await allowedBy(session)), twoFactorSetupRequired };
    },
  };
}
