import type { Database } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { type Clock, epochOf } from '../../../platform/clock.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { randomToken } from '../../../platform/ids.ts';
import type { SecurityAudit } from '../../audit/service.ts';
import type { InstallationKey } from '../authentication/installation-key.ts';
import { assertUsable, type KeyVerifier, type VerifiedKey } from '../authentication/verify-key.ts';
import { CredentialError } from '../errors.ts';
import { readKeyToken } from '../keys/key-token.ts';
import { holdKey } from '../store/keys.ts';
import { readPolicy } from '../store/policy.ts';
import { BOOTSTRAP_ID, findByLogin, holdPrincipal } from '../store/principals.ts';
import { type BegunSession, beginSession, type Visitor } from './begin-session.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import type { PasswordHasher } from './passwords.ts';
import type { UseCode } from './second-factor.ts';
import type { SignInLimit } from './sign-in-limit.ts';

export interface SignIn {
  /** Makes the hash that stands in for unknown people, so that the first of them costs no more than the next. */
  prepare(): Promise<void>;
  /**
   * Throws a 401 refusal that is the same, after the same work, for a wrong password and an unknown name; another one for a
   * missing and for a wrong code; 429.
   */
  withPassword(attempt: PasswordAttempt, visitor: Visitor): Promise<BegunSession>;
  /** A session that may do what the key may and never outlives it. Throws a 401 refusal, or 429 after many wrong keys. */
  withKey(apiKey: string, visitor: Visitor): Promise<BegunSession>;
}

export interface PasswordAttempt {
  readonly login: string;
  readonly password: string;
  /** Of the authenticator app, or a recovery code. */
  readonly code?: string | undefined;
}

export interface SignInParts {
  db: Database;
  clock: Clock;
  audit: SecurityAudit;
  hasher: PasswordHasher;
  limit: SignInLimit;
  keys: KeyVerifier;
  installationKey: InstallationKey;
  useCode: UseCode;
  browsers: KnownBrowsers;
}

const NEVER = Number.POSITIVE_INFINITY;

export function createSignIn(parts: SignInParts): SignIn {
  let standIn: string | null = null;
  const standInHash = async () => (standIn ??= await parts.hasher.hash(randomToken(256)));
  return {
    prepare: async () => {
      await standInHash();
    },

    async withPassword(attempt, visitor) {
      const login = attempt.login.trim().toLowerCase();
      const browserId = await parts.browsers.find(login, visitor.browserToken);
      await parts.limit.password({ address: visitor.address, login, browserId });
      const found = await findByLogin(parts.db.read, login);
      const hash = found?.enabled === 1 ? found.password_hash : null;
      const fits = await parts.hasher.verify(hash ?? (await standInHash()), attempt.password);
      if (found && hash !== null && fits) {
        if (found.totp_secret !== null && attempt.code === undefined)
          throw new CredentialError('code_needed');
        const begun = await beginOfPerson(parts, found, attempt.code, visitor);
        if (begun) return begun;
      }
      await recordRefusal(parts, found, visitor);
      throw new CredentialError(fits && hash !== null ? 'wrong_sign_in_code' : 'wrong_sign_in');
    },

    async withKey(apiKey, visitor) {
      if (parts.installationKey.fits(sha256Hex(apiKey))) {
        await parts.limit.rightKey('installation');
        return await beginOfInstallationKey(parts, visitor);
      }
      const verified = await verifyKey(parts, apiKey, visitor);
      await parts.limit.rightKey(verified.key.keyId);
      return await beginOfKey(parts, verified, visitor);
    },
  };
}

/** The key of a sign-in; a wrong one is counted and recorded, and never keeps a right one out. Throws 401 or 429. */
async function verifyKey(parts: SignInParts, apiKey: string, visitor: Visitor): Promise<VerifiedKey> {
  const { address } = visitor;
  try {
    return await parts.keys.verify(apiKey, address);
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    await parts.limit.wrongKey({ address, hasKeyForm: readKeyToken(apiKey) !== null });
    await recordRefusal(parts, null, visitor);
    throw error;
  }
}

/** Null for a code that does not fit. */
function beginOfPerson(
  parts: SignInParts,
  found: PrincipalTable,
  code: string | undefined,
  visitor: Visitor,
): Promise<BegunSession | null> {
  return parts.db.transaction(async (tx) => {
    // A change of the password ends the sessions there are, so none may begin with the old one after it.
    const person = await holdPrincipal(tx, found.id);
    if (!person?.enabled || person.password_hash !== found.password_hash)
      throw new CredentialError('wrong_sign_in');
    // Also when the second factor was set up between the two looks.
    const { temporary_until: end } = person;
    if (end !== null && epochOf(end) <= parts.clock.now())
      throw new CredentialError('temporary_password_ended');
    if (person.totp_secret !== null && !(await parts.useCode(tx, person, code ?? ''))) return null;
    const facts = {
      principal: { id: person.id, displayName: person.display_name },
      sourceKind: 'password',
      browser: await parts.browsers.know(tx, person.id, visitor.browserToken),
      keyId: null,
      keyExpiresMs: NEVER,
      passwordChangeRequired: person.password_change_required === 1,
    } as const;
    return await beginSession(parts, tx, facts, visitor);
  });
}

function beginOfKey(parts: SignInParts, verified: VerifiedKey, visitor: Visitor): Promise<BegunSession> {
  const { key, owner } = verified;
  return parts.db.transaction(async (tx) => {
    // As above: a key that was rotated or revoked since it was checked begins nothing.
    if (!(await holdKey(tx, key.keyId, key.version))) throw new CredentialError();
    assertUsable(key, parts.clock.now());
    const facts = {
      principal: owner,
      sourceKind: 'key',
      browser: null,
      keyId: key.keyId,
      keyExpiresMs: key.expiresAt === null ? NEVER : epochOf(key.expiresAt),
      passwordChangeRequired: owner.passwordChangeRequired,
    } as const;
    return await beginSession(parts, tx, facts, visitor);
  });
}

function beginOfInstallationKey(parts: SignInParts, visitor: Visitor): Promise<BegunSession> {
  const facts = {
    principal: { id: BOOTSTRAP_ID, displayName: 'Installation key' },
    sourceKind: 'bootstrap',
    browser: null,
    keyId: null,
    keyExpiresMs: NEVER,
    passwordChangeRequired: false,
  } as const;
  return parts.db.transaction((tx) => beginSession(parts, tx, facts, visitor));
}

function recordRefusal(parts: SignInParts, found: PrincipalTable | null, visitor: Visitor): Promise<void> {
  return parts.db.transaction(async (tx) => {
    const { version } = await readPolicy(tx);
    await parts.audit.record(tx, {
      actor: { id: found?.id ?? null, name: found?.display_name ?? 'Unknown' },
      credentialKind: 'none',
      operation: 'session.begin',
      target: { kind: 'principal', id: found?.id ?? null },
      outcome: 'refused',
      policyVersion: version,
      requestId: visitor.requestId,
      details: { address: visitor.address },
    });
  });
}
