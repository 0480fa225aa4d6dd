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

const DAY_MS = 24 * 3_600_000;
/** Maximum days between acceptance and end that the query covers: an older fax has ended. */
const MAX_DAYS = 60;

/**
 * Counts the faxes that failed from `since` until before `until` (ISO 8601 UTC). A fax that was tried again
 * automatically counts by the outcome of the new fax.
 */
export async function countFailed(db: ReadDb, since: string, until: string): Promise<number> {
  const accepted = new Date(Date.parse(since) - MAX_DAYS * DAY_MS).toISOString();
  const { faxes } = await db
    .selectFrom('fax_job')
    .select((eb) => eb.fn.countAll<number | string>().as('faxes'))
    .where('delivery_state', '=', 'failed')
    .where('created_at', '>=', accepted)
    .where('created_at', '<', until)
    .where('updated_at', '>=', since)
    .where('updated_at', '<', until)
    .where('tried_again_as', 'is', null)
    .where('test', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(faxes);
}

/**
 * Returns the end of the newest fax delivered elsewhere, ISO 8601 UTC; null when there is none. Internal and
 * direct deliveries are left out because they prove nothing about providers and the phone line.
 */
export async function lastDeliveredAt(db: ReadDb): Promise<string | null> {
  const row = await db
    .selectFrom('fax_job')
    .select('updated_at')
    .where('delivery_state', '=', 'success')
    .where('test', '=', 0)
    .where((eb) =>
      eb.or([eb('delivered_by', 'is', null), eb('delivered_by', 'not in', ['internal', 'direct'])]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.updated_at ?? null;
}
