import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import type { IntakeParts } from './parts.ts';
import { changeItem } from './store/item-store.ts';
import { putRecipients } from './store/recipient-store.ts';
import type { ItemRow, RecipientFact } from './types.ts';

/**
 * Thrown when another change of the item came between reading and writing. Its code is the one at which a transaction
 * is repeated.
 */
export class ItemChangedError extends Error {
  override name = 'ItemChangedError';
  readonly code = '40001';
}

type ChangeParts = Pick<IntakeParts, 'db' | 'clock' | 'events'>;

/** Writes a change with the states of recipients, and notifies consoles. Throws ItemChangedError. */
export async function change(
  { db, clock, events }: ChangeParts,
  tx: WriteTx,
  item: ItemRow,
  changes: Partial<Pick<ItemRow, 'state' | 'problem' | 'failures' | 'retry_at' | 'mailbox_id'>>,
  recipients: readonly RecipientFact[] = [],
): Promise<ItemRow> {
  const at = isoTime(clock.now());
  const changed = await changeItem(tx, item, { ...changes, updated_at: at });
  if (!changed) throw new ItemChangedError(`the e-mail ${item.id} was changed meanwhile`);
  await putRecipients(
    tx,
    item.id,
    recipients.map((fact) => ({ ...fact, at: fact.state === 'waiting' ? null : at })),
  );
  const { id, version } = changed;
  db.onCommit(tx, () => events.publish('intake.changed', { id, version }));
  return changed;
}
