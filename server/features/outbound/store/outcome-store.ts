import type { ReadDb } from '../../../db/database.ts';
import type { SentOutcome } from '../types.ts';

/** Maximum length of a chain: each automatic new fax adds one; a person may add some. */
const MAX_CHAIN = 50;

/**
 * Returns the outcome of each fax by ID; that of the newest one where the number was tried again. Unknown IDs are left
 * out.
 */
export async function sentOutcomes(db: ReadDb, ids: readonly string[]): Promise<Map<string, SentOutcome>> {
  const found = new Map<string, SentOutcome>();
  let next = new Map(ids.map((id) => [id, [id]]));
  for (let step = 0; next.size > 0 && step < MAX_CHAIN; step += 1) {
    const rows = await db
      .selectFrom('fax_job')
      .select([
        'id',
        'delivery_state',
        'error',
        'document_pages',
        'updated_at',
        'tried_again_as',
        'held_reason',
      ])
      .where('id', 'in', [...next.keys()])
      .execute();
    const following = new Map<string, string[]>();
    for (const { id, delivery_state: state, error, document_pages: pages, ...row } of rows) {
      const requestedIds = next.get(id) ?? [];
      for (const each of requestedIds)
        found.set(each, { state, error: row.held_reason ?? error, pages, at: row.updated_at });
      if (row.tried_again_as !== null)
        following.set(row.tried_again_as, [...(following.get(row.tried_again_as) ?? []), ...requestedIds]);
    }
    next = following;
  }
  return found;
}
