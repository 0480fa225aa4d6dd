import type { ReadDb } from '../../db/database.ts';
import { countByStatus } from './store/fax-store.ts';

/** Counts received faxes by status, without a gateway. */
export function countReceived(db: ReadDb): Promise<Record<string, number>> {
  return countByStatus(db);
}
