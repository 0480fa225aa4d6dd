import type { ReadDb } from '../../../db/database.ts';

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
    .executeTakeFirstOrThrow();
  return Number(faxes);
}
