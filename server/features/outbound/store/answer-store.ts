import type { ReadDb } from '../../../db/database.ts';
import type { JobRow } from '../types.ts';

/** Sent fax that answers a received one. */
type AnswerRow = Pick<
  JobRow,
  | 'id'
  | 'answers'
  | 'to_number'
  | 'delivery_state'
  | 'created_at'
  | 'created_by'
  | 'created_by_name'
  | 'mailbox_id'
  | 'test'
>;

/** Lists the answers to received faxes, the newest first. */
export async function listAnswers(
  db: ReadDb,
  inboundIds: readonly string[],
  limit: number,
): Promise<AnswerRow[]> {
  if (inboundIds.length === 0) return [];
  return db
    .selectFrom('fax_job')
    .select([
      'id',
      'answers',
      'to_number',
      'delivery_state',
      'created_at',
      'created_by',
      'created_by_name',
      'mailbox_id',
      'test',
    ])
    .where('answers', 'in', inboundIds)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
