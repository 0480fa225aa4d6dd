import type { AuditOperation } from '../../../../shared/audit-operations.ts';
import type { Database, WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import type { Seal } from '../../../platform/seal.ts';
import type { AuthenticatedCaller } from '../authenticated-caller.ts';
import { actorOf } from '../authenticated-caller.ts';
import { AccessConflictError, CredentialError, NotAllowedError } from '../errors.ts';
import type { ChangePolicy } from '../policy-change.ts';
import { findPrincipalRow, holdPrincipal } from '../store/principals.ts';
import { revokeOtherSessions } from '../store/sessions.ts';
import {
  asksForTwoFactor,
  clearTotp,
  confirmTotp,
  countRecoveryCodes,
  replaceRecoveryCodes,
  setPendingTotp,
} from '../store/two-factor.ts';
import type { CodeTries } from './code-tries.ts';
import type { PasswordHasher } from './passwords.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';
import { totpContext, type UseCode } from './second-factor.ts';
import type { SignInLimit } from './sign-in-limit.ts';
import { newTotpSecret, otpauthUri, stepOfCode } from './totp.ts';

/**
 * The second factor of the person who is signed in with a password. Every change throws 403 without such a session and for
 * a wrong password or code, 409 when the state does not allow it, and 429 after too many tries.
 */
export interface TwoFactor {
  state(
    caller: AuthenticatedCaller,
  ): Promise<{ enabled: boolean; required: boolean; recoveryCodesLeft: number }>;
  /** A secret that waits for its first code. */
  begin(
    caller: AuthenticatedCaller,
    currentPassword: string,
  ): Promise<{ secret: string; otpauthUri: string }>;
  /** Turns it on, ends the other sessions, and gives the recovery codes. */
  confirm(caller: AuthenticatedCaller, code: string): Promise<string[]>;
  renewRecoveryCodes(caller: AuthenticatedCaller, code: string): Promise<string[]>;
  remove(caller: AuthenticatedCaller, proof: { currentPassword: string; code: string }): Promise<void>;
}

export interface TwoFactorParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly hasher: PasswordHasher;
  readonly limit: SignInLimit;
  readonly changePolicy: ChangePolicy;
  readonly useCode: UseCode;
  readonly codeTries: CodeTries;
  /** What authenticator apps call this installation. */
  readonly issuer: () => string;
}

export function createTwoFactor(parts: TwoFactorParts): TwoFactor {
  const { db, seal, useCode } = parts;
  return {
    async state(caller) {
      const person = await ownRow(parts, caller);
      return {
        enabled: person.totp_secret !== null,
        required: await asksForTwoFactor(db.read, person.id),
        recoveryCodesLeft: await countRecoveryCodes(db.read, person.id),
      };
    },

    async begin(caller, currentPassword) {
      const person = await ownRow(parts, caller);
      if (person.totp_secret !== null) throw new AccessConflictError('two_factor_on');
      await checkPassword(parts, person, currentPassword);
      const secret = newTotpSecret();
      await db.transaction((tx) => setPendingTotp(tx, person.id, seal.seal(secret, totpContext(person.id))));
      const login = person.login ?? person.display_name;
      return { secret, otpauthUri: otpauthUri({ secret, login, issuer: parts.issuer() }) };
    },

    confirm: (caller, code) => confirm(parts, caller, code),

    async renewRecoveryCodes(caller, code) {
      const codes = newRecoveryCodes();
      await change(parts, caller, 'two_factor.new_codes', async (tx, person) => {
        await assertCode(useCode, tx, person, code);
        await replaceRecoveryCodes(tx, person.id, hashesOf(person.id, codes));
      });
      return codes;
    },

    async remove(caller, proof) {
      const person = await ownRow(parts, caller);
      await checkPassword(parts, person, proof.currentPassword);
      await change(parts, caller, 'two_factor.off', async (tx, held) => {
        if (await asksForTwoFactor(tx, held.id)) throw new AccessConflictError('two_factor_required');
        await assertCode(useCode, tx, held, proof.code);
        await clearTotp(tx, held.id, isoTime(parts.clock.now()));
      });
    },
  };
}

async function confirm(parts: TwoFactorParts, caller: AuthenticatedCaller, code: string): Promise<string[]> {
  const { clock, seal } = parts;
  const codes = newRecoveryCodes();
  await change(parts, caller, 'two_factor.on', async (tx, { id, totp_pending: pending }) => {
    if (pending === null) throw new AccessConflictError('two_factor_not_begun');
    const secret = seal.open(pending, totpContext(id));
    const step = stepOfCode({ secret, lastStep: null }, code, clock.now());
    if (step === null) throw new NotAllowedError('wrong_code');
    const now = isoTime(clock.now());
    if (!(await confirmTotp(tx, { id, pending, secret: pending, step, now })))
      throw new AccessConflictError();
    await replaceRecoveryCodes(tx, id, hashesOf(id, codes));
    await revokeOtherSessions(tx, { principalId: id, keep: caller.session?.id ?? '', now });
  });
  return codes;
}

/** One change of the own second factor: counted like a sign-in, with the row held, and in the security audit. */
async function change(
  parts: TwoFactorParts,
  caller: AuthenticatedCaller,
  operation: AuditOperation,
  work: (tx: WriteTx, person: PrincipalTable) => Promise<void>,
): Promise<void> {
  const { id } = await ownRow(parts, caller);
  await parts.limit.again({ principalId: id, what: 'code' });
  await parts.codeTries.during({ principalId: id }, () =>
    parts.changePolicy({
      actor: actorOf(caller),
      operation,
      expectedVersion: null,
      work: async (tx) => {
        const person = await holdPrincipal(tx, id);
        if (!person?.enabled) throw new CredentialError();
        await work(tx, person);
      },
      describe: () => ({ target: { kind: 'principal', id } }),
    }),
  );
}

async function ownRow(
  parts: TwoFactorParts,
  { session, principal }: AuthenticatedCaller,
): Promise<PrincipalTable> {
  if (session?.sourceKind !== 'password') throw new NotAllowedError('password_session_needed');
  const person = await findPrincipalRow(parts.db.read, principal.id);
  if (!person?.enabled) throw new CredentialError();
  return person;
}

async function checkPassword(parts: TwoFactorParts, person: PrincipalTable, password: string): Promise<void> {
  await parts.limit.again({ principalId: person.id, what: 'password' });
  const fits = person.password_hash !== null && (await parts.hasher.verify(person.password_hash, password));
  if (!fits) throw new NotAllowedError('wrong_password');
}

async function assertCode(
  useCode: UseCode,
  tx: WriteTx,
  person: PrincipalTable,
  code: string,
): Promise<void> {
  if (person.totp_secret === null) throw new AccessConflictError('two_factor_off');
  if (!(await useCode(tx, person, code))) throw new NotAllowedError('wrong_code');
}

function hashesOf(principalId: string, codes: readonly string[]): string[] {
  return codes.map((code) => recoveryCodeHash(principalId, code));
}
