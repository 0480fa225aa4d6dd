import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { findPrincipalRow, hasSecondFactor, NO_APP } from './principals.ts';

/** Returns true when a role that this person holds anywhere, alone or through a group, requires a second factor. */
export async function requiresTwoFactor(db: ReadDb, principalId: string): Promise<boolean> {
  const groups = db
    .selectFrom('group_member as m')
    .innerJoin('principal_group as g', 'g.id', 'm.group_id')
    .select('m.group_id')
    .where('m.principal_id', '=', principalId)
    .where('g.enabled', '=', 1);
  const role = await db
    .selectFrom('assignment as a')
    .innerJoin('role as r', 'r.id', 'a.role_id')
    .select('r.id')
    .where('r.enabled', '=', 1)
    .where('r.requires_two_factor', '=', 1)
    .where((eb) => eb.or([eb('a.subject_id', '=', principalId), eb('a.subject_id', 'in', groups)]))
    .limit(1)
    .executeTakeFirst();
  return role !== undefined;
}

/** Returns true for a person who has a second factor, or a role that requires it: what they have is not enough alone. */
export async function needsTwoFactors(db: ReadDb, principalId: string): Promise<boolean> {
  const person = await findPrincipalRow(db, principalId);
  return (person !== null && hasSecondFactor(person)) || (await requiresTwoFactor(db, principalId));
}

/** A secret that waits for its first code; another one that waited is forgotten. */
export async function setPendingTotp(tx: WriteTx, id: string, sealed: string): Promise<void> {
  await tx.updateTable('principal').set({ totp_pending: sealed }).where('id', '=', id).execute();
}

/** False when another secret waits by now. */
export async function confirmTotp(
  tx: WriteTx,
  change: { id: string; pending: string; secret: string; step: number; now: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('principal')
    .set((eb) => ({
      totp_secret: change.secret,
      totp_pending: null,
      totp_last_step: change.step,
      version: eb('version', '+', 1),
      updated_at: change.now,
    }))
    .where('id', '=', change.id)
    .where('totp_pending', '=', change.pending)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** False when a code of this step or a later one was used before. */
export async function useTotpStep(tx: WriteTx, id: string, step: number): Promise<boolean> {
  const result = await tx
    .updateTable('principal')
    .set({ totp_last_step: step })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('totp_last_step', 'is', null), eb('totp_last_step', '<', step)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Forgets the authenticator app. */
export async function clearTotp(tx: WriteTx, id: string, now: string): Promise<void> {
  await tx
    .updateTable('principal')
    .set((eb) => ({
      ...NO_APP,
      version: eb('version', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', id)
    .execute();
}

export async function deleteRecoveryCodes(tx: WriteTx, principalId: string): Promise<void> {
  await tx.deleteFrom('recovery_code').where('principal_id', '=', principalId).execute();
}

export async function replaceRecoveryCodes(
  tx: WriteTx,
  principalId: string,
  hashes: readonly string[],
): Promise<void> {
  await deleteRecoveryCodes(tx, principalId);
  const rows = hashes.map((code_hash) => ({ principal_id: principalId, code_hash, used_at: null }));
  await tx.insertInto('recovery_code').values(rows).execute();
}

/** False for an unknown code and for one that was used before. */
export async function useRecoveryCode(
  tx: WriteTx,
  code: { principalId: string; hash: string; now: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('recovery_code')
    .set({ used_at: code.now })
    .where('principal_id', '=', code.principalId)
    .where('code_hash', '=', code.hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function countRecoveryCodes(db: ReadDb, principalId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('principal_id', '=', principalId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}
