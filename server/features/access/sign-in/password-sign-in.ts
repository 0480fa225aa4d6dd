import type { WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { epochOf } from '../../../platform/clock.ts';
import { RefusalError } from '../../../platform/errors.ts';
import { signInCookie } from '../authentication/sign-in-cookies.ts';
import { CredentialError } from '../errors.ts';
import type { UsedPasskey } from '../passkeys/passkey-check.ts';
import { findByLogin, hasSecondFactor, holdPrincipal } from '../store/principals.ts';
import { beginOfPerson } from './begin-of-person.ts';
import type { BegunSession, Visitor } from './begin-session.ts';
import { type MissingFactorReason, PENDING_MS } from './pending-sign-ins.ts';
import { recordRefusedSignIn } from './refused-sign-in.ts';
import type { Factor } from './second-factor.ts';
import type { PasswordAttempt, SignInParts } from './sign-in-parts.ts';

interface Parts extends SignInParts {
  standInHash(): Promise<string>;
}

/** Person whose password was right, and the known browser they used. */
interface SignInContext {
  readonly found: PrincipalTable;
  readonly browserId: string | null;
}

/** Signs in with a sign-in name, a password and, where it is on, the second factor; see `SignIn`. */
export async function signInWithPassword(
  parts: Parts,
  attempt: PasswordAttempt,
  visitor: Visitor,
): Promise<BegunSession> {
  const login = attempt.login.trim().toLowerCase();
  const browserId = await parts.browsers.find(login, visitor.browserToken);
  await parts.limit.password({ address: visitor.address, login, browserId });
  const found = await findByLogin(parts.db.read, login);
  const hash = found?.enabled === 1 ? found.password_hash : null;
  const fits = await parts.hasher.verify(hash ?? (await parts.standInHash()), attempt.password);
  if (!found || hash === null || !fits) {
    const named = found && { id: found.id, displayName: found.display_name };
    await recordRefusedSignIn(parts, named, { visitor });
    throw new CredentialError('wrong_sign_in');
  }
  return await withSecondFactor(parts, { found, browserId }, attempt, visitor);
}

/**
 * Checks the second factor after a right password: if it is missing or wrong, this is recorded and shown to the person.
 */
async function withSecondFactor(
  parts: Parts,
  known: SignInContext,
  attempt: PasswordAttempt,
  visitor: Visitor,
): Promise<BegunSession> {
  const passkey = attempt.passkey && (await usedPasskey(parts, known, attempt.passkey, visitor));
  const second = { code: attempt.code, passkey };
  const begun = await begin(parts, known, second, visitor).catch(async (error: unknown) => {
    if (error instanceof RefusalError && error.refusalCode === 'too_many_codes')
      await parts.pending.recordEntry(known.found, visitor, 'too_many_codes');
    throw error;
  });
  if (typeof begun !== 'string') return begun;
  const token = await parts.pending.recordEntry(known.found, visitor, begun);
  const cookie = signInCookie(visitor.connection, 'sign_in', { token, seconds: PENDING_MS / 1000 });
  throw new CredentialError(refusalOf(begun, known.found), undefined, { 'Set-Cookie': cookie });
}

function refusalOf(missing: MissingFactorReason, { totp_secret, passkeys_since }: PrincipalTable) {
  if (missing === 'passkey_wrong') return 'wrong_passkey';
  if (missing !== 'code_missing') return 'wrong_sign_in_code';
  if (passkeys_since === null) return 'code_needed';
  return totp_secret === null ? 'passkey_needed' : 'code_or_passkey_needed';
}

/** The passkey that was used for the challenge of this pending sign-in, or `refused`. */
async function usedPasskey(
  { passkeyCheck }: Parts,
  { found }: SignInContext,
  { party, answer }: NonNullable<PasswordAttempt['passkey']>,
  visitor: Visitor,
): Promise<UsedPasskey | 'refused'> {
  const owner = { kind: 'second-factor', token: visitor.pendingToken ?? '' } as const;
  const used = await passkeyCheck.verify({ party, owner, principalId: found.id }, answer);
  return 'why' in used ? 'refused' : used;
}

interface SecondFactorInput {
  readonly code: string | undefined;
  readonly passkey: UsedPasskey | 'refused' | undefined;
}

/** The session, or what is missing for it. */
function begin(
  parts: Parts,
  known: SignInContext,
  second: SecondFactorInput,
  visitor: Visitor,
): Promise<BegunSession | MissingFactorReason> {
  const { found } = known;
  return parts.db.transaction(async (tx) => {
    // A change of the password ends the sessions there are, so none may begin with the old one after it.
    const person = await holdPrincipal(tx, found.id);
    if (!person?.enabled || person.password_hash !== found.password_hash)
      throw new CredentialError('wrong_sign_in');
    const { temporary_until: end } = person;
    if (end !== null && epochOf(end) <= parts.clock.now())
      throw new CredentialError('temporary_password_ended');
    const where = known.browserId === null ? { address: visitor.address } : { browserId: known.browserId };
    const given = hasSecondFactor(person) ? await secondFactorOf(parts, tx, { person, second, where }) : null;
    if (given !== null && 'missing' in given) return given.missing;
    const secondFactor = given?.factor ?? null;
    return await beginOfPerson(parts, tx, { person, sourceKind: 'password', secondFactor, visitor });
  });
}

/** The second factor, or what is missing of it. */
async function secondFactorOf(
  parts: Parts,
  tx: WriteTx,
  facts: {
    person: PrincipalTable;
    second: SecondFactorInput;
    where: { address: string } | { browserId: string };
  },
): Promise<{ factor: Factor } | { missing: MissingFactorReason }> {
  const { person, where } = facts;
  const { code, passkey } = facts.second;
  if (passkey !== undefined) {
    const isUsed = passkey !== 'refused' && (await parts.passkeyCheck.use(tx, passkey));
    return isUsed ? { factor: 'passkey' } : { missing: 'passkey_wrong' };
  }
  if (code === undefined) return { missing: 'code_missing' };
  const factor = await rightCode(parts, tx, { person, code, where });
  return factor === null ? { missing: 'code_wrong' } : { factor };
}

/**
 * Returns the kind of the code, or null for a wrong one, which is counted, in known browsers and elsewhere. Throws 429.
 */
async function rightCode(
  { codeTries, useCode }: Parts,
  tx: WriteTx,
  tried: { person: PrincipalTable; code: string; where: { address: string } | { browserId: string } },
): Promise<Factor | null> {
  const attempt = { principalId: tried.person.id, ...tried.where };
  await codeTries.take(tx, attempt);
  const factor = await useCode(tx, tried.person, tried.code);
  if (factor !== null) await codeTries.giveBack(tx, attempt);
  return factor;
}
