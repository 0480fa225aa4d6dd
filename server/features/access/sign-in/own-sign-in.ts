import type { PasskeyAnswer } from '../../../../shared/api/access-passkeys.ts';
import type { AuditOperation } from '../../../../shared/audit-operations.ts';
import type { Database, WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { type AuthenticatedCaller, actorOf, isOwnSession } from '../authenticated-caller.ts';
import { AccessConflictError, CredentialError, NotAllowedError } from '../errors.ts';
import type { PasskeyCheck, UsedPasskey } from '../passkeys/passkey-check.ts';
import type { RelyingParty } from '../passkeys/relying-party.ts';
import type { ChangePolicy } from '../policy-change.ts';
import { findPrincipalRow, hasSecondFactor, holdPrincipal } from '../store/principals.ts';
import type { CodeTries } from './code-tries.ts';
import type { PasswordHasher } from './passwords.ts';
import type { UseCode } from './second-factor.ts';
import type { SignInLimit } from './sign-in-limit.ts';

export interface OwnSignInParts {
  readonly db: Database;
  readonly hasher: PasswordHasher;
  readonly limit: SignInLimit;
  readonly changePolicy: ChangePolicy;
  readonly useCode: UseCode;
  readonly codeTries: CodeTries;
  readonly passkeyCheck: PasskeyCheck;
}

/** Second factor of a signed-in person who confirms a change: a code, or a passkey. */
export interface SecondFactor {
  readonly code?: string | undefined;
  readonly passkey?: { readonly party: RelyingParty; readonly answer: PasskeyAnswer } | undefined;
}

/** The password, and the second factor where there is one. */
export interface OwnProof extends SecondFactor {
  readonly currentPassword: string;
}

/** Work on the own row, in its transaction. */
export type Work = (tx: WriteTx, person: PrincipalTable) => Promise<void>;

/** Returns the row of a person who signed in as themselves. Throws 403 for all other callers. */
export async function ownRow(
  { db }: Pick<OwnSignInParts, 'db'>,
  caller: AuthenticatedCaller,
): Promise<PrincipalTable> {
  if (!isOwnSession(caller)) throw new NotAllowedError('password_session_needed');
  const person = await findPrincipalRow(db.read, caller.principal.id);
  if (!person?.enabled) throw new CredentialError();
  return person;
}

/** Throws 403 for a wrong password, and 429. */
export async function checkPassword(
  parts: OwnSignInParts,
  person: PrincipalTable,
  password: string,
): Promise<void> {
  await parts.limit.confirmation({ principalId: person.id, what: 'password' });
  const fits = person.password_hash !== null && (await parts.hasher.verify(person.password_hash, password));
  if (!fits) throw new NotAllowedError('wrong_password');
}

/** Changes how a person signs in: with the row held, and recorded in the security audit. */
export async function changeOwn(
  parts: OwnSignInParts,
  caller: AuthenticatedCaller,
  change: { operation: AuditOperation; work: Work; details?: () => Record<string, unknown> },
): Promise<void> {
  const { id } = await ownRow(parts, caller);
  await parts.changePolicy({
    actor: actorOf(caller),
    operation: change.operation,
    expectedVersion: null,
    work: (tx) => withOwnRow(tx, id, change.work),
    describe: () => ({ target: { kind: 'principal', id }, details: change.details?.() ?? {} }),
  });
}

/**
 * Does something for which a second factor is confirmed: `work` gets what checks it, to be called in its transaction. Wrong codes are
 * counted. The check throws 403 for a wrong or missing one, 409 when there is none to confirm; all of it throws 429.
 */
export async function withConfirmation<T>(
  parts: OwnSignInParts,
  caller: AuthenticatedCaller,
  second: SecondFactor,
  work: (check: Work) => Promise<T>,
): Promise<T> {
  const { id } = await ownRow(parts, caller);
  if (second.passkey !== undefined) {
    const used = await usedPasskey(parts, caller, second.passkey);
    return await work((tx, person) => checkPasskey(parts, tx, { person, used }));
  }
  await parts.limit.confirmation({ principalId: id, what: 'code' });
  const attempt = { principalId: id };
  return await parts.codeTries.runWithTry(attempt, () =>
    work((tx, person) => checkCode(parts, tx, { person, code: second.code })),
  );
}

/** Confirms the second factor of a person who has one, and changes nothing. Throws as above. */
export async function confirmSecondFactor(
  parts: OwnSignInParts,
  caller: AuthenticatedCaller,
  second: SecondFactor,
): Promise<void> {
  const { id } = await ownRow(parts, caller);
  await withConfirmation(parts, caller, second, (check) =>
    parts.db.transaction((tx) => withOwnRow(tx, id, check)),
  );
}

async function withOwnRow(tx: WriteTx, id: string, work: Work): Promise<void> {
  const person = await holdPrincipal(tx, id);
  if (!person?.enabled) throw new CredentialError();
  await work(tx, person);
}

async function usedPasskey(
  { passkeyCheck }: OwnSignInParts,
  { session, principal }: AuthenticatedCaller,
  { party, answer }: NonNullable<SecondFactor['passkey']>,
): Promise<UsedPasskey> {
  const owner = { kind: 'proof', sessionId: session?.id ?? '' } as const;
  const used = await passkeyCheck.verify({ party, owner, principalId: principal.id }, answer);
  if ('why' in used) throw new NotAllowedError('passkey_refused');
  return used;
}

async function checkPasskey(
  { passkeyCheck }: OwnSignInParts,
  tx: WriteTx,
  { person, used }: { person: PrincipalTable; used: UsedPasskey },
): Promise<void> {
  const isOwn = used.passkey.principal_id === person.id;
  if (!isOwn || !(await passkeyCheck.use(tx, used))) throw new NotAllowedError('passkey_refused');
}

async function checkCode(
  { useCode }: OwnSignInParts,
  tx: WriteTx,
  { person, code }: { person: PrincipalTable; code: string | undefined },
): Promise<void> {
  if (!hasSecondFactor(person)) throw new AccessConflictError('two_factor_off');
  if (code === undefined) throw new NotAllowedError('second_factor_missing');
  if ((await useCode(tx, person, code)) === null) throw new NotAllowedError('wrong_code');
}
