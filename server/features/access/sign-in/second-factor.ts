import type { WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import type { Seal } from '../../../platform/seal.ts';
import { useRecoveryCode, useTotpStep } from '../store/two-factor.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

export const totpContext = (principalId: string) => `totp:${principalId}`;

/** Whether a code of the app or a recovery code is right for a person; then it is used up. */
export type UseCode = (tx: WriteTx, person: PrincipalTable, code: string) => Promise<boolean>;

export function createCodeCheck({ clock, seal }: { clock: Clock; seal: Seal }): UseCode {
  return async (tx, person, code) => {
    if (person.totp_secret === null) return false;
    const secret = seal.open(person.totp_secret, totpContext(person.id));
    const now = clock.now();
    const step = stepOfCode({ secret, lastStep: person.totp_last_step }, code, now);
    if (step !== null) return await useTotpStep(tx, person.id, step);
    const hash = recoveryCodeHash(person.id, code);
    return await useRecoveryCode(tx, { principalId: person.id, hash, now: isoTime(now) });
  };
}
