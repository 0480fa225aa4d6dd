import type { ReadDb, WriteTx } from '../../db/database.ts';
import { removeWork } from '../../jobs/job-store.ts';
import { announceJob, deliverJob } from './queued.ts';
import { countDeliveries, skipWaiting } from './store/delivery-store.ts';

const SENTENCE = {
  backup: 'Restored from a backup: it may have been sent after the backup was made.',
  copy: 'Started with another database: it may have been sent after that database was copied.',
} as const;

/** No event of a backup, or of an older copy of the store, is sent: it may have been since. `at` is an ISO time. */
export async function settleRestoredWebhooks(
  tx: WriteTx,
  at: string,
  from: keyof typeof SENTENCE,
): Promise<void> {
  await skipWaiting(tx, null, SENTENCE[from], at);
  await removeWork(tx, announceJob.kind);
  await removeWork(tx, deliverJob.kind);
}

/** Webhook deliveries by state, read without a gateway. */
export async function countWebhookDeliveries(db: ReadDb): Promise<Record<string, number>> {
  return Object.fromEntries((await countDeliveries(db)).map(({ state, deliveries }) => [state, deliveries]));
}
