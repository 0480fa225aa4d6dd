import { ACCESS_MESSAGES } from '../../../shared/api/access.ts';
import type { SessionSource } from '../../../shared/states.ts';
import type { Database, WriteTx } from '../../db/database.ts';
import type { PrincipalTable } from '../../db/schema/access.ts';
import { type Clock, epochOf, isoTime } from '../../platform/clock.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { newId, randomToken } from '../../platform/ids.ts';
import type { SecurityAudit } from '../audit/service.ts';
import { CredentialError } from './errors.ts';
import type { InstallationKey } from './installation-key.ts';
import { readKeyToken } from './key-token.ts';
import type { PasswordHasher } from './passwords.ts';
import { assertUsable, grantsOfKey, type KeyRecogniser } from './recognise-key.ts';
import type { SignInLimit } from './sign-in-limit.ts';
import { findKey } from './store/keys.ts';
import { readPolicy } from './store/policy.ts';
import { BOOTSTRAP_ID, findByLogin, findPrincipalRow } from './store/principals.ts';
import { deleteOldSessions, insertSession } from './store/sessions.ts';

const TOKEN_BITS = 256;
const LONGEST_MS = 12 * 3_600_000;
const KEPT_MS = 30 * 24 * 3_600_000;

/** A session that has just begun; the token goes into the cookie and nowhere else. */
export interface BegunSession {
  token: string;
  /** How long it lasts at most. */
  seconds: number;
  passwordChangeRequired: boolean;
}

export interface Visitor {
  address: string;
  requestId: string | null;
}

export interface SignIn {
  /** Throws a 401 refusal that is the same, after the same work, for a wrong password and an unknown name; 429. */
  withPassword(attempt: { login: string; password: string }, visitor: Visitor): Promise<BegunSession>;
  /** A session that may do what the key may and never outlives it. Throws a 401 or 429 refusal. */
  withKey(apiKey: string, visitor: Visitor): Promise<BegunSession>;
}

export interface SignInParts {
  db: Database;
  clock: Clock;
  audit: SecurityAudit;
  hasher: PasswordHasher;
  limit: SignInLimit;
  keys: KeyRecogniser;
  installationKey: InstallationKey;
}

export function createSignIn(parts: SignInParts): SignIn {
  const { db, clock } = parts;
  let standIn: Promise<string> | null = null;
  /** A hash that fits nothing, so that an unknown name costs what a known one costs. */
  const standInHash = () => (standIn ??= parts.hasher.hash(randomToken(TOKEN_BITS)));

  const recordRefusal = (found: PrincipalTable | null, operation: string, visitor: Visitor) =>
    db.transaction(async (tx) => {
      const { version } = await readPolicy(tx);
      await parts.audit.record(tx, {
        actor: { id: found?.id ?? null, name: found?.display_name ?? 'Unknown' },
        credentialKind: 'none',
        operation,
        target: { kind: 'principal', id: found?.id ?? null },
        outcome: 'refused',
        policyVersion: version,
        requestId: visitor.requestId,
        details: { address: visitor.address },
      });
    });

  const begin = async (tx: WriteTx, facts: NewSession, visitor: Visitor): Promise<BegunSession> => {
    const now = clock.now();
    const token = randomToken(TOKEN_BITS);
    const expiresMs = Math.min(now + LONGEST_MS, facts.keyExpiresMs);
    const { version } = await readPolicy(tx);
    const id = newId();
    await deleteOldSessions(tx, facts.principal.id, isoTime(now - KEPT_MS));
    await insertSession(tx, {
      id,
      token_hash: sha256Hex(token),
      principal_id: facts.principal.id,
      source_kind: facts.sourceKind,
      source_key_id: facts.keyId,
      created_at: isoTime(now),
      last_used_at: isoTime(now),
      expires_at: isoTime(expiresMs),
      revoked_at: null,
    });
    await parts.audit.record(tx, {
      actor: { id: facts.principal.id, name: facts.principal.displayName },
      credentialKind: facts.sourceKind,
      operation: 'session.begin',
      target: { kind: 'session', id },
      outcome: 'done',
      policyVersion: version,
      requestId: visitor.requestId,
      details: { address: visitor.address, ...(facts.keyId === null ? {} : { key_id: facts.keyId }) },
    });
    const { passwordChangeRequired } = facts;
    return { token, seconds: (expiresMs - now) / 1000, passwordChangeRequired };
  };

  const beginOfPerson = (found: PrincipalTable, visitor: Visitor) =>
    db.transaction(async (tx) => {
      // The person may have been changed while the password was being checked.
      const now = await findPrincipalRow(tx, found.id);
      if (!now?.enabled || now.password_hash !== found.password_hash)
        throw new CredentialError(ACCESS_MESSAGES.badSignIn);
      const principal = { id: now.id, displayName: now.display_name };
      const passwordChangeRequired = now.password_change_required === 1;
      const source = { sourceKind: 'password', keyId: null, keyExpiresMs: Number.POSITIVE_INFINITY } as const;
      return await begin(tx, { principal, passwordChangeRequired, ...source }, visitor);
    });

  const beginOfKey = (keyId: string, visitor: Visitor) =>
    db.transaction(async (tx) => {
      const stored = await findKey(tx, keyId);
      if (!stored) throw new CredentialError();
      assertUsable(stored, clock.now());
      const { key, owner } = await grantsOfKey(tx, stored);
      const keyExpiresMs = key.expiresAt === null ? Number.POSITIVE_INFINITY : epochOf(key.expiresAt);
      const { passwordChangeRequired } = owner;
      const source = { sourceKind: 'key', keyId, keyExpiresMs } as const;
      return await begin(tx, { principal: owner, passwordChangeRequired, ...source }, visitor);
    });

  const beginOfInstallationKey = (visitor: Visitor) =>
    db.transaction((tx) =>
      begin(
        tx,
        {
          principal: { id: BOOTSTRAP_ID, displayName: 'Installation key' },
          sourceKind: 'bootstrap',
          keyId: null,
          keyExpiresMs: Number.POSITIVE_INFINITY,
          passwordChangeRequired: false,
        },
        visitor,
      ),
    );

  return {
    async withPassword(attempt, visitor) {
      const login = attempt.login.trim().toLowerCase();
      await parts.limit.take({ address: visitor.address, name: `login:${login}` });
      const found = await findByLogin(db.read, login);
      const hash = found?.enabled === 1 ? found.password_hash : null;
      const fits = await parts.hasher.verify(hash ?? (await standInHash()), attempt.password);
      if (found && hash !== null && fits) return await beginOfPerson(found, visitor);
      await recordRefusal(found, 'session.begin', visitor);
      throw new CredentialError(ACCESS_MESSAGES.badSignIn);
    },

    async withKey(apiKey, visitor) {
      const keyId = readKeyToken(apiKey)?.keyId ?? 'installation';
      await parts.limit.take({ address: visitor.address, name: `key:${keyId}` });
      if (parts.installationKey.fits(sha256Hex(apiKey))) return await beginOfInstallationKey(visitor);
      try {
        const { key } = await parts.keys.recognise(apiKey);
        return await beginOfKey(key.keyId, visitor);
      } catch (error) {
        if (error instanceof CredentialError) await recordRefusal(null, 'session.begin', visitor);
        throw error;
      }
    },
  };
}

interface NewSession {
  principal: { id: string; displayName: string };
  sourceKind: SessionSource;
  keyId: string | null;
  keyExpiresMs: number;
  passwordChangeRequired: boolean;
}
