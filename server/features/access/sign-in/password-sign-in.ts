import type { WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { epochOf } from '../../../platform/clock.ts';
import { RefusalError } from '../../../platform/errors.ts';
import { signInCookie } from '../authentication/sign-in-cookies.ts';
import { CredentialError } from '../errors.ts';
import { findByLogin, holdPrincipal } from '../store/principals.ts';
import { type BegunSession, beginSession, NEVER, type Visitor } from './begin-session.ts';
import { type Missing, PENDING_MS } from './pending-sign-ins.ts';
import { recordRefusedSignIn } from './refused-sign-in.ts';
import type { PasswordAttempt, SignInParts } from './sign-in-parts.ts';

interface Parts extends SignInParts {
  standInHash(): Promise<string>;
}

/** Who typed the right password, and in which known browser. */
interface Known {
  readonly found: PrincipalTable;
  readonly browserId: string | null;
}

/** Signs in with a login name, a password and, where it is on, the second factor; see `SignIn`. */
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
    await recordRefusedSignIn(parts, named, visitor);
    throw new CredentialError('wrong_sign_in');
  }
  return await withSecondFactor(parts, { found, browserId }, attempt, visitor);
}

/** The password was right: whatever is missing now is recorded, and told to the person. */
async function withSecondFactor(
  parts: Parts,
  known: Known,
  attempt: PasswordAttempt,
  visitor: Visitor,
): Promise<BegunSession> {
  const begun = await begin(parts, known, attempt, visitor).catch(async (error: unknown) => {
    if (error instanceof RefusalError && error.refusalCode === 'too_many_codes')
      await parts.pending.note(known.found, visitor, 'too_many_codes');
    throw error;
  });
  if (typeof begun !== 'string') return begun;
  const token = await parts.pending.note(known.found, visitor, begun);
  const cookie = signInCookie(visitor.connection, 'sign_in', { token, seconds: PENDING_MS / 1000 });
  const code = begun === 'code_missing' ? 'code_needed' : 'wrong_sign_in_code';
  throw new CredentialError(code, undefined, { 'Set-Cookie': cookie });
}

/** The session, or what is missing for it. */
function begin(
  parts: Parts,
  { found, browserId }: Known,
  { code }: PasswordAttempt,
  visitor: Visitor,
): Promise<BegunSession | Missing> {
  return parts.db.transaction(async (tx) => {
    // A change of the password ends the sessions there are, so none may begin with the old one after it.
    const person = await holdPrincipal(tx, found.id);
    if (!person?.enabled || person.password_hash !== found.password_hash)
      throw new CredentialError('wrong_sign_in');
    const { temporary_until: end } = person;
    if (end !== null && epochOf(end) <= parts.clock.now())
      throw new CredentialError('temporary_password_ended');
    if (person.totp_secret !== null) {
      if (code === undefined) return 'code_missing';
      const where = browserId === null ? { address: visitor.address } : { browserId };
      if (!(await isRightCode(parts, tx, { person, code, where }))) return 'code_wrong';
    }
    await parts.pending.end(tx, person.id, visitor.pendingToken);
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

/** Counts a code, in known browsers and elsewhere, unless it is right. Throws 429. */
async function isRightCode(
  { codeTries, useCode }: Parts,
  tx: WriteTx,
  tried: { person: PrincipalTable; code: string; where: { address: string } | { browserId: string } },
): Promise<boolean> {
  const attempt = { principalId: tried.person.id, ...tried.where };
  await codeTries.take(tx, attempt);
  const isRight = await useCode(tx, tried.person, tried.code);
  if (isRight) await codeTries.giveBack(tx, attempt);
  return isRight;
}
