import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { RecipientFact, RecipientRow } from '../types.ts';

/** Lists the recipients of some items, by address. */
export async function recipientsOf(db: ReadDb, itemIds: readonly string[]): Promise<RecipientRow[]> {
  if (itemIds.length === 0) return [];
  return db
    .selectFrom('intake_recipient')
    .selectAll()
    .where('item_id', 'in', itemIds)
    .orderBy('address')
    .execute();
}

export async function putRecipients(
  tx: WriteTx,
  itemId: string,
  facts: readonly (RecipientFact & Pick<RecipientRow, 'at'>)[],
): Promise<void> {
  for (const { address, state, sentence, at } of facts)
    await tx
      .insertInto('intake_recipient')
      .values({ item_id: itemId, address, state, sentence, at })
      .onConflict((conflict) => conflict.columns(['item_id', 'address']).doUpdateSet({ state, sentence, at }))
      .execute();
}

export async function removeRecipients(
  tx: WriteTx,
  itemId: string,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return;
  await tx
    .deleteFrom('intake_recipient')
    .where('item_id', '=', itemId)
    .where('address', 'in', addresses)
    .execute();
}
