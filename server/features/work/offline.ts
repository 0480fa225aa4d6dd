import type { ReadDb } from '../../db/database.ts';
import { countByState } from './store/item-store.ts';

export { addEarlierItems } from './earlier-items.ts';
export { type EvidenceCheck, verifyEvidence } from './evidence/verify-evidence.ts';
export { type HistoryVerification, verifyHistories } from './verify.ts';

/** Work items by state, read without a gateway. */
export function countWorkItems(db: ReadDb): Promise<Record<string, number>> {
  return countByState(db);
}
