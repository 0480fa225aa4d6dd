import type { ReadDb } from '../../../db/database.ts';
import type { JobRow } from '../types.ts';

export type ChangedFax = Pick<JobRow, 'id' | 'delivery_version' | 'created_by' | 'mailbox_id'>;

/**
 * The faxes with an entry in their history after `historyId`, whoever made it. History ids follow the time, so this
 * reads the end of the primary key and no more.
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
