import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareInsert } from '../../../db/prepared-query.ts';

interface LinkRow {
  readonly token_hash: string;
  readonly job_id: string;
  readonly expires_at: string;
}

export const insertLink = prepareInsert((tx) => tx.insertInto('fax_link'));

export async function listLinks(db: ReadDb, jobId: string): Promise<LinkRow[]> {
  return db.selectFrom('fax_link').selectAll().where('job_id', '=', jobId).execute();
}

export async function removeLinks(tx: WriteTx, jobId: string): Promise<void> {
  await tx.deleteFrom('fax_link').where('job_id', '=', jobId).execute();
}
