import type { WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import type { Seal } from '../../../platform/seal.ts';
import type { AuthenticatedCaller } from '../authenticated-caller.ts';
import { AccessConflictError, NotAllowedError } from '../errors.ts';
import { listPasskeys } from '../store/passkeys.ts';
import { hasSecondFactor } from '../store/principals.ts';
import { revokeOtherSessions } from '../store/sessions.ts';
import {
  clearTotp,
  confirmTotp,
  countRecoveryCodes,
  deleteRecoveryCodes,
  replaceRecoveryCodes,
  requiresTwoFactor,
  setPendingTotp,
} from '../store/two-factor.ts';
import {
  changeOwn,
  checkPassword,
  confirmSecondFactor,
  type OwnProof,
  type OwnSignInParts,
  ownRow,
  type SecondFactor,
  type Work,
  withConfirmation,
} from './own-sign-in.ts';
import { hashesOf, newRecoveryCodes } from './recovery-codes.ts';
import { totpContext } from './second-factor.ts';
import { newTotpSecret, otpauthUri, stepOfCode } from './totp.ts';

/**
 * The second factor of the person who is signed in with a password. Every change throws 403 without such a session and for
 * a wrong password or code, 409 when the state does not allow it, and 429 after too many tries.
 */
export interface TwoFactor {
  state(
    caller: AuthenticatedCaller,
  ): Promise<{ enabled: boolean; passkeys: number; required: boolean; recoveryCodesLeft: number }>;
  /** A secret that waits for its first code. */
  begin(caller: AuthenticatedCaller, proof: OwnProof): Promise<{ secret: string; otpauthUri: string }>;
  /** Turns it on, ends the other sessions, and returns the recovery codes. */
  confirm(caller: AuthenticatedCaller, code: string): Promise<string[]>;
  renewRecoveryCodes(caller: AuthenticatedCaller, second: SecondFactor): Promise<string[]>;
  /** Turns the codes of the app off; passkeys stay. */
  remove(caller: AuthenticatedCaller, proof: OwnProof): Promise<void>;
}

interface TwoFactorParts extends OwnSignInParts {
  readonly clock: Clock;
  readonly seal: Seal;
  /** Name of this installation in authenticator apps. */
  readonly issuer: () => string;
}

export function createTwoFactor(parts: TwoFactorParts): TwoFactor {
  const { db, seal } = parts;
  return {
    async state(caller) {
      const person = await ownRow(parts, caller);
      return {
        enabled: person.totp_secret !== null,
        passkeys: (await listPasskeys(db.read, person.id)).length,
        required: await requiresTwoFactor(db.read, person.id),
        recoveryCodesLeft: await countRecoveryCodes(db.read, person.id),
      };
    },

    async begin(caller, { currentPassword, ...second }) {
      const person = await ownRow(parts, caller);
      if (person.totp_secret !== null) throw new AccessConflictError('two_factor_on');
      await checkPassword(parts, person, currentPassword);
      if (hasSecondFactor(person)) await confirmSecondFactor(parts, caller, second);
      const secret = newTotpSecret();
      await db.transaction((tx) => setPendingTotp(tx, person.id, seal.seal(secret, totpContext(person.id))));
      const login = person.login ?? person.display_name;
      return { secret, otpauthUri: otpauthUri({ secret, login, issuer: parts.issuer() }) };
    },

    confirm: (caller, code) => confirm(parts, caller, code),

    async renewRecoveryCodes(caller, second) {
      const codes = newRecoveryCodes();
      await withConfirmation(parts, caller, second, (check) =>
        changeOwn(parts, caller, {
          operation: 'two_factor.new_codes',
          work: async (tx, person) => {
            await check(tx, person);
            await replaceRecoveryCodes(tx, person.id, hashesOf(person.id, codes));
          },
        }),
      );
      return codes;
    },

    async remove(caller, { currentPassword, ...second }) {
      await checkPassword(parts, await ownRow(parts, caller), currentPassword);
      await withConfirmation(parts, caller, second, (check) =>
        changeOwn(parts, caller, {
          operation: 'two_factor.off',
          work: (tx, person) => removeApp(parts, tx, { person, check }),
        }),
      );
    },
  };
}

async function removeApp(
  { clock }: TwoFactorParts,
  tx: WriteTx,
  { person, check }: { person: PrincipalTable; check: Work },
): Promise<void> {
  if (person.totp_secret === null) throw new AccessConflictError('two_factor_off');
  const isLast = person.passkeys_since === null;
  if (isLast && (await requiresTwoFactor(tx, person.id)))
    throw new AccessConflictError('two_factor_required');
  await check(tx, person);
  await clearTotp(tx, person.id, isoTime(clock.now()));
  if (isLast) await deleteRecoveryCodes(tx, person.id);
}

async function confirm(parts: TwoFactorParts, caller: AuthenticatedCaller, code: string): Promise<string[]> {
  const { clock, seal } = parts;
  const codes = newRecoveryCodes();
  const work: Work = async (tx, { id, totp_pending: pending }) => {
    if (pending === null) throw new AccessConflictError('two_factor_not_begun');
    const secret = seal.open(pending, totpContext(id));
    const step = stepOfCode({ secret, lastStep: null }, code, clock.now());
    if (step === null) throw new NotAllowedError('wrong_code');
    const now = isoTime(clock.now());
    if (!(await confirmTotp(tx, { id, pending, secret: pending, step, now })))
      throw new AccessConflictError();
    await replaceRecoveryCodes(tx, id, hashesOf(id, codes));
    await revokeOtherSessions(tx, { principalId: id, keep: caller.session?.id ?? '', now });
  };
  await withConfirmation(parts, caller, { code }, () =>
    changeOwn(parts, caller, { operation: 'two_factor.on', work }),
  );
  return codes;
}
