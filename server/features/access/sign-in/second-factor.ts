import type { WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import type { Seal } from '../../../platform/seal.ts';
import { hasSecondFactor } from '../store/principals.ts';
import { useRecoveryCode, useTotpStep } from '../store/two-factor.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

export const totpContext = (principalId: string) => `totp:${principalId}`;

/** Factor used beside the password. */
export type Factor = 'code' | 'recovery_code' | 'passkey';

/** Identifies a person's code, of the app or a recovery code, and uses it up. Null for a wrong one. */
export type UseCode = (
  tx: WriteTx,
  person: PrincipalTable,
  code: string,
) => Promise<Exclude<Factor, 'passkey'> | null>;

export function createCodeCheck({ clock, seal }: { clock: Clock; seal: Seal }): UseCode {
  return async (tx, person, code) => {
    if (!hasSecondFactor(person)) return null;
    const now = clock.now();
    const { id, totp_secret: sealed, totp_last_step: lastStep } = person;
    if (sealed !== null) {
      const step = stepOfCode({ secret: seal.open(sealed, totpContext(id)), lastStep }, code, now);
      if (step !== null) return (await useTotpStep(tx, id, step)) ? 'code' : null;
    }
    const hash = recoveryCodeHash(person.id, code);
    return (await useRecoveryCode(tx, { principalId: person.id, hash, now: isoTime(now) }))
      ? 'recovery_code'
      : null;
  };
}
