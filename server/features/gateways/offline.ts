import type { Database, WriteTx } from '../../db/database.ts';
import { checkMove, moveSentence } from './check-move.ts';
import { forgetGateways } from './store.ts';
import { findMove, removeMove } from './store-move.ts';
import { WORKS_WITH } from './types.ts';

export { databaseTime } from './store.ts';

/**
 * Removes the gateways of the time of a backup from a restored store, as none of them works on it, and the mark that the
 * installation had left the store: its faxes are held.
 */
export async function settleRestoredGateways(tx: WriteTx): Promise<void> {
  await forgetGateways(tx);
  await removeMove(tx);
}

/** Refuses to work on a store that is not complete or that the installation has left. Throws StoreMovedError. */
export async function refuseMoved(db: Database): Promise<void> {
  checkMove({ works_with: WORKS_WITH }, await findMove(db));
}

/** Returns a sentence that says why no gateway may work on a store that was moved; null when one may. */
export async function movedReason(db: Database): Promise<string | null> {
  const record = await findMove(db);
  return record && moveSentence(record);
}
