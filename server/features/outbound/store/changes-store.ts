import type { ReadDb } from '../../../db/database.ts';

export interface FaxVersion {
  readonly id: string;
  readonly delivery_version: number;
}

/**
 * The faxes with an entry in their history after `historyId`, whoever made it. History ids follow the time, so this
 * reads the end of the primary key and no more.
 */
export async function changedSince(db: ReadDb, historyId: string, limit: number): Promise<FaxVersion[]> {
  const changed = db.selectFrom('fax_history').select('job_id').where('id', '>', historyId);
  return db
    .selectFrom('fax_job')
    .select(['id', 'delivery_version'])
    .where('id', 'in', changed)
    .limit(limit)
    .execute();
}
