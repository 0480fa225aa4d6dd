import { epochOf } from '../../../platform/clock.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { assertUsable, type VerifiedKey } from '../authentication/verify-key.ts';
import { CredentialError, NotAllowedError } from '../errors.ts';
import { readKeyToken } from '../keys/key-token.ts';
import { holdKey } from '../store/keys.ts';
import { BOOTSTRAP_ID } from '../store/principals.ts';
import { requiresTwoFactor } from '../store/two-factor.ts';
import { type BegunSession, beginSession, NEVER, type Visitor } from './begin-session.ts';
import { recordRefusedSignIn } from './refused-sign-in.ts';
import type { SignInParts } from './sign-in-parts.ts';

/** Signs in with an API key or the installation key; see `SignIn`. */
export async function signInWithKey(
  parts: SignInParts,
  apiKey: string,
  visitor: Visitor,
): Promise<BegunSession> {
  if (parts.installationKey.fits(sha256Hex(apiKey))) {
    await parts.limit.rightKey('installation');
    return await beginOfInstallationKey(parts, visitor);
  }
  const verified = await verifyKey(parts, apiKey, visitor);
  await parts.limit.rightKey(verified.key.keyId);
  return await beginOfKey(parts, verified, visitor);
}

/** The key of a sign-in; a wrong one is counted and recorded, and never keeps a right one out. Throws 401 or 429. */
async function verifyKey(parts: SignInParts, apiKey: string, visitor: Visitor): Promise<VerifiedKey> {
  const { address } = visitor;
  try {
    return await parts.keys.verify(apiKey, address);
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    await parts.limit.wrongKey({ address, hasKeyForm: readKeyToken(apiKey) !== null });
    await recordRefusedSignIn(parts, null, { visitor });
    throw error;
  }
}

async function beginOfKey(
  parts: SignInParts,
  { key, owner }: VerifiedKey,
  visitor: Visitor,
): Promise<BegunSession> {
  // Screens show the work of people, of which a test key has nothing.
  if (key.isTest) {
    await recordRefusedSignIn(parts, owner, { visitor });
    throw new NotAllowedError('test_key_signs_in');
  }
  // A key is one factor, regardless of its holder.
  if (await requiresTwoFactor(parts.db.read, owner.id)) {
    await recordRefusedSignIn(parts, owner, { visitor });
    throw new NotAllowedError('key_needs_two_factor');
  }
  return await parts.db.transaction(async (tx) => {
    // A key that was rotated or revoked since it was checked begins nothing.
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
