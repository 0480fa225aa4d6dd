import type { ReadDb } from '../../../db/database.ts';
import type { JobRow } from '../types.ts';

export type ChangedFax = Pick<JobRow, 'id' | 'delivery_version' | 'created_by' | 'mailbox_id'>;

/**
 * Lists the faxes with a history entry after `historyId`, from any gateway. History IDs follow the time, so this reads
 * only the end of the primary key.
 */
export async function changedSince(db: ReadDb, historyId: string, limit: number): Promise<ChangedFax[]> {
  const changed = db.selectFrom('fax_history').select('job_id').where('id', '>', historyId);
  return db
    .selectFrom('fax_job')
    .select(['id', 'delivery_version', 'created_by', 'mailbox_id'])
    .where('id', 'in', changed)
    .limit(limit)
    .execute();
}
