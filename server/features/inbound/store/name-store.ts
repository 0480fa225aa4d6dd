import type { ReadDb } from '../../../db/database.ts';
import type { FaxRow } from '../types.ts';

export type NamedFax = Pick<FaxRow, 'id' | 'from_number' | 'received_at' | 'mailbox_id'>;

/** Few enough for one query on either database. */
const MAX_AT_ONCE = 500;

/** Lists the facts that name a fax, for the ids that exist. */
export async function listNamed(db: ReadDb, ids: readonly string[]): Promise<NamedFax[]> {
  const found: NamedFax[] = [];
  for (let from = 0; from < ids.length; from += MAX_AT_ONCE) {
    const some = ids.slice(from, from + MAX_AT_ONCE);
    const query = db.selectFrom('inbound_fax').select(['id', 'from_number', 'received_at', 'mailbox_id']);
    found.push(...(await query.where('id', 'in', some).execute()));
  }
  return found;
}
