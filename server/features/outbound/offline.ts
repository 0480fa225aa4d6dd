import type { ReadDb } from '../../db/database.ts';
import { countByState } from './store/job-store.ts';

export { addEarlierFaxes } from './cleanup/earlier.ts';
export { type RestoredFaxes, settleRestored } from './cleanup/restored.ts';
export { type ReportCheck, verifyReport } from './proof/verify-report.ts';
export { knownJobs } from './store/earlier-store.ts';

/** Counts the sent faxes by delivery state, without a gateway. */
export function countFaxes(db: ReadDb): Promise<Record<string, number>> {
  return countByState(db);
}
