import type { ReadDb } from '../../db/database.ts';
import { countByStatus } from './store/fax-store.ts';

export { addEarlierNotifications, addEarlierReceived } from './arriving/earlier.ts';
export { documentName } from './arriving/keep-document.ts';
export { knownFaxes, knownNotifications } from './store/earlier-store.ts';

/** Counts received faxes by status, without a gateway. */
export function countReceived(db: ReadDb): Promise<Record<string, number>> {
  return countByStatus(db);
}
