import type { WriteTx } from '../../db/database.ts';
import { forgetGateways } from './store.ts';

/** Removes the gateways of the time of a backup from a restored store: none of them works on it. */
export async function settleRestoredGateways(tx: WriteTx): Promise<void> {
  await forgetGateways(tx);
}
