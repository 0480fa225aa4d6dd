import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { QuickSignInTable } from '../../../db/schema/access.ts';

type Hashes = Pick<QuickSignInTable, 'pin_hash' | 'card_hash'>;

const NONE: Hashes = { pin_hash: null, card_hash: null };

/** Returns the hashes of a person's PIN and card, null each where there is none. */
export async function findQuickSignIn(db: ReadDb, principalId: string): Promise<Hashes> {
  const row = await db
    .selectFrom('quick_sign_in')
    .select(['pin_hash', 'card_hash'])
    .where('principal_id', '=', principalId)
    .executeTakeFirst();
  return row ?? NONE;
}

/** Sets what is named; the rest stays. */
export async function setQuickSignIn(
  tx: WriteTx,
  principalId: string,
  changes: Partial<Hashes>,
): Promise<void> {
  await tx
    .insertInto('quick_sign_in')
    .values({ principal_id: principalId, ...NONE, ...changes })
    .onConflict((conflict) => conflict.column('principal_id').doUpdateSet(changes))
    .execute();
}

export async function deleteQuickSignIn(tx: WriteTx, principalId: string): Promise<void> {
  await tx.deleteFrom('quick_sign_in').where('principal_id', '=', principalId).execute();
}

/** Lists the hashes of the cards of all others. */
export async function listOtherCards(db: ReadDb, principalId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('quick_sign_in')
    .select('card_hash')
    .where('card_hash', 'is not', null)
    .where('principal_id', '!=', principalId)
    .execute();
  return rows.flatMap(({ card_hash }) => card_hash ?? []);
}

/** Returns those of the principals who have a PIN or a card. */
export async function quickAmong(db: ReadDb, principalIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (principalIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('quick_sign_in')
    .select('principal_id')
    .where('principal_id', 'in', principalIds)
    .execute();
  return new Set(rows.map(({ principal_id }) => principal_id));
}
