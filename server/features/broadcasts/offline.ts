import type { WriteTx } from '../../db/database.ts';
import { addEvent, pauseAll } from './store/broadcast-store.ts';

const SENTENCE = {
  backup: 'Restored from a backup: faxes of it may have been sent after the backup was made.',
  copy: 'Started with another database: faxes of it may have been sent after that database was copied.',
} as const;

/** No broadcast of a backup, or of an older copy of the store, goes on by itself. `at` is an ISO time. */
export async function settleRestoredBroadcasts(
  tx: WriteTx,
  at: string,
  from: keyof typeof SENTENCE,
): Promise<void> {
  const text = SENTENCE[from];
  for (const id of await pauseAll(tx, text, at))
    await addEvent(tx, { broadcast_id: id, occurred_at: at, actor: 'Faxdesk', text });
}
