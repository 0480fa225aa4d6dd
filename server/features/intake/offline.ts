import type { ReadDb, WriteTx } from '../../db/database.ts';
import { removeWork } from '../../jobs/job-store.ts';
import { deliverJob } from './deliver-queue.ts';
import { uncertainResult } from './outcome.ts';
import { changeItem, countItems, itemsInStates } from './store/item-store.ts';
import { putRecipients, recipientsOf } from './store/recipient-store.ts';

const SENTENCE = {
  backup: 'Restored from a backup: it may have been sent after the backup was made.',
  copy: 'Started with another database: it may have been sent after that database was copied.',
} as const;

/**
 * Makes the e-mails of a backup, or of an older copy of the store, safe: none is sent automatically, because it may
 * have been sent since. `at` is an ISO time. Returns the number of e-mails that now wait for a person.
 */
export async function settleRestoredMail(
  tx: WriteTx,
  at: string,
  from: keyof typeof SENTENCE = 'backup',
): Promise<number> {
  const items = await itemsInStates(tx, ['received', 'sending']);
  for (const item of items) {
    const known = await recipientsOf(tx, [item.id]);
    const open = known.filter(({ state }) => state !== 'delivered').map(({ address }) => address);
    const { changes, recipients } = uncertainResult(open, SENTENCE[from]);
    await changeItem(tx, item, { ...changes, retry_at: null, updated_at: at });
    await putRecipients(
      tx,
      item.id,
      recipients.map((fact) => ({ ...fact, at })),
    );
  }
  await removeWork(tx, deliverJob.kind);
  return items.length;
}

/** E-mail deliveries by state, read without a gateway. */
export async function countDeliveries(db: ReadDb): Promise<Record<string, number>> {
  return Object.fromEntries((await countItems(db)).map(({ state, items }) => [state, items]));
}
