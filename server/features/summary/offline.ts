import type { WriteTx } from '../../db/database.ts';
import { epochOf } from '../../platform/clock.ts';
import { lastWholeDay } from '../../platform/local-days.ts';
import { changeDay, insertDay, newestDays, openDays } from './store.ts';

const SENTENCE = {
  backup: 'Restored from a backup: it may have been sent after the backup was made.',
  copy: 'Started on another store: it may have been sent after that store was copied.',
} as const;

/**
 * Prevents automatic summaries after the restore of a backup, or of an older copy of the store, also of one that may
 * have been sent since: the store has no record of later events. `at` is an ISO time.
 */
export async function settleRestoredSummary(
  tx: WriteTx,
  at: string,
  from: keyof typeof SENTENCE,
): Promise<void> {
  const doubt = { state: 'uncertain', problem: SENTENCE[from], retry_at: null, updated_at: at } as const;
  for (const row of await openDays(tx)) await changeDay(tx, row, doubt);
  const [newest] = await newestDays(tx, 1);
  if (newest === undefined) return;
  const day = lastWholeDay(epochOf(at), null);
  await insertDay(tx, { ...doubt, day, version: 1, failures: 0, delivered: '[]', recorded_at: at });
}
