import type { WriteTx } from '../../db/database.ts';
import { epochOf } from '../../platform/clock.ts';
import { lastWholeDay } from '../../platform/local-days.ts';
import { changeDay, insertDay, newestDays, openDays } from './store.ts';

const SENTENCE = {
  backup: 'Restored from a backup: it may have been sent after the backup was made.',
  copy: 'Started with another database: it may have been sent after that database was copied.',
} as const;

/**
 * Marks the open summaries and the one of the last whole day as uncertain, so that none is sent automatically: after the
 * restore of a backup, or with an older copy of the store, there is no record of what was sent since. `at` is an ISO time.
 */
export async function settleRestoredSummary(
  tx: WriteTx,
  at: string,
  from: keyof typeof SENTENCE,
): Promise<void> {
  const uncertain = { state: 'uncertain', problem: SENTENCE[from], retry_at: null, updated_at: at } as const;
  for (const row of await openDays(tx)) await changeDay(tx, row, uncertain);
  const [newest] = await newestDays(tx, 1);
  if (newest === undefined) return;
  const day = lastWholeDay(epochOf(at), null);
  await insertDay(tx, { ...uncertain, day, version: 1, failures: 0, delivered: '[]', recorded_at: at });
}
