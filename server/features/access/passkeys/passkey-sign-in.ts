import type { PasskeyAnswer, PasskeyOptions } from '../../../../shared/api/access-passkeys.ts';
import type { Database } from '../../../db/database.ts';
import { randomToken } from '../../../platform/ids.ts';
import { AccessConflictError, CredentialError } from '../errors.ts';
import { type BeginParts, beginOfPerson } from '../sign-in/begin-of-person.ts';
import type { BegunSession, Visitor } from '../sign-in/begin-session.ts';
import { recordRefusedSignIn } from '../sign-in/refused-sign-in.ts';
import type { SignInLimit } from '../sign-in/sign-in-limit.ts';
import { listPasskeys } from '../store/passkeys.ts';
import { findPrincipal, holdPrincipal } from '../store/principals.ts';
import { usableAt } from './own-passkeys.ts';
import type { PasskeyCheck, RefusedPasskey, UsedPasskey } from './passkey-check.ts';
import type { RelyingParty } from './relying-party.ts';

const TOKEN_BITS = 256;

/** Signing in with a passkey alone, which is two factors: the device, and finger, face or PIN. */
export interface PasskeySignIn {
  /** Returns the options for the signature, and the token of the sign-in that its challenge belongs to. Throws 429. */
  begin(party: RelyingParty, visitor: Visitor): Promise<{ options: PasskeyOptions; token: string }>;
  /**
   * Does the same for a person whose password was right, with their own passkeys. Throws 401 when that was too long
   * ago, 409 when they have none for this page.
   */
  beginSecondFactor(party: RelyingParty, visitor: Visitor): Promise<PasskeyOptions>;
  /** Throws a 401 refusal for whatever is wrong with it, or 429. */
  signIn(answer: PasskeyAnswer, party: RelyingParty, visitor: Visitor): Promise<BegunSession>;
}

interface PasskeySignInParts extends BeginParts {
  readonly db: Database;
  readonly limit: SignInLimit;
  readonly passkeyCheck: PasskeyCheck;
}

export function createPasskeySignIn(parts: PasskeySignInParts): PasskeySignIn {
  const { db, limit, passkeyCheck, pending, browsers } = parts;
  return {
    async begin(party, { address, pendingToken, browserToken }) {
      await limit.passkeyOptions({ address, browserId: await browsers.findAny(browserToken) });
      const token = pendingToken ?? randomToken(TOKEN_BITS);
      return { options: await passkeyCheck.createOptions({ kind: 'sign-in', token }, party, null), token };
    },

    async beginSecondFactor(party, { pendingToken: token }) {
      const principalId = await pending.personOf(token);
      if (token === null || principalId === null) throw new CredentialError('password_too_long_ago');
      const allowed = usableAt(await listPasskeys(db.read, principalId), party);
      if (allowed.length === 0) throw new AccessConflictError('no_passkey_here');
      return await passkeyCheck.createOptions({ kind: 'second-factor', token }, party, allowed);
    },

    async signIn(answer, party, visitor) {
      const owner = { kind: 'sign-in', token: visitor.pendingToken ?? '' } as const;
      const used = await passkeyCheck.verify({ party, owner, principalId: null }, answer);
      if ('why' in used) return await refuse(parts, used, visitor);
      await limit.rightKey(`passkey ${used.passkey.id}`);
      return (
        (await begin(parts, used, visitor)) ?? (await refuse(parts, { ...used, why: 'counter' }, visitor))
      );
    },
  };
}

/** Null for a passkey that was removed, or used again since it was checked. */
function begin(parts: PasskeySignInParts, used: UsedPasskey, visitor: Visitor): Promise<BegunSession | null> {
  return parts.db.transaction(async (tx) => {
    const person = await holdPrincipal(tx, used.passkey.principal_id);
    if (!person?.enabled || !(await parts.passkeyCheck.use(tx, used))) return null;
    return await beginOfPerson(parts, tx, { person, sourceKind: 'passkey', secondFactor: null, visitor });
  });
}

async function refuse(
  parts: PasskeySignInParts,
  { why, passkey }: RefusedPasskey,
  visitor: Visitor,
): Promise<never> {
  await parts.limit.wrongPasskey(visitor.address);
  const owner = passkey === null ? null : await findPrincipal(parts.db.read, passkey.principal_id);
  await recordRefusedSignIn(parts, owner, { visitor, reason: `passkey_${why}` });
  throw new CredentialError('wrong_passkey');
}
