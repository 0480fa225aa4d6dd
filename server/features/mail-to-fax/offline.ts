import type { WriteTx } from '../../db/database.ts';
import { markRepliesUncertain } from './replies/reply-store.ts';

const SENTENCE = {
  backup: 'Restored from a backup: it may have been sent after the backup was made.',
  copy: 'Started with another database: it may have been sent after that database was copied.',
} as const;

/** No reply of a backup, or of an older copy of the store, is sent: it may have been since. `at` is an ISO time. */
export async function settleRestoredReplies(
  tx: WriteTx,
  at: string,
  from: keyof typeof SENTENCE,
): Promise<void> {
  await markRepliesUncertain(tx, SENTENCE[from], at);
}
