import { DELIVERY_STATES } from '../../../../shared/states/outbound.ts';
import type { Capabilities } from '../../../db/capabilities.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { ArchiveOfFax } from '../../../platform/archive-of-fax.ts';
import type { AttemptRow } from '../types.ts';

/** States in which nothing happens to a fax any more, unless a late report comes. */
export const ENDED_STATES: readonly string[] = ['success', 'failed', 'cancelled'];
const UNFINISHED_STATES = DELIVERY_STATES.filter((state) => !ENDED_STATES.includes(state));

/** Returns those of the ids that belong to a fax. */
export async function existingAmong(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('fax_job').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Lets nobody change faxes until the end of the transaction. Where one process has the database, its transactions do that already. */
export async function lockFaxes(
  tx: WriteTx,
  { soleProcess }: Capabilities,
  ids: readonly string[],
): Promise<void> {
  if (soleProcess || ids.length === 0) return;
  await tx.selectFrom('fax_job').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
}

/** Lists the attempts of faxes, each fax's oldest first. */
export async function attemptsOfFaxes(db: ReadDb, ids: readonly string[]): Promise<AttemptRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('fax_attempt')
    .selectAll()
    .where('job_id', 'in', ids)
    .orderBy('job_id')
    .orderBy('number')
    .execute();
}

/** Counts the history entries of faxes. */
export async function historyCounts(
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('fax_history')
    .select((eb) => ['job_id', eb.fn.countAll<number | string>().as('entries')])
    .where('job_id', 'in', ids)
    .groupBy('job_id')
    .execute();
  return new Map(rows.map(({ job_id, entries }) => [job_id, Number(entries)]));
}

/** Returns those of the faxes, sent or received, that a fax which is not finished names: it is sent again, or answered. */
export async function namedByUnfinished(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (ids.length === 0) return found;
  for (const name of ['resend_of', 'answers'] as const) {
    const rows = await db
      .selectFrom('fax_job')
      .select(`${name} as named`)
      .where(name, 'in', ids)
      .where('delivery_state', 'in', UNFINISHED_STATES)
      .execute();
    for (const row of rows) if (row.named !== null) found.add(row.named);
  }
  return found;
}

/** Returns those of the faxes that are tried again as a fax that is not finished, make a call, or wait for a line. */
export async function stillInUse(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const again = await db
    .selectFrom('fax_job as earlier')
    .innerJoin('fax_job as later', 'later.id', 'earlier.tried_again_as')
    .select('earlier.id')
    .where('earlier.id', 'in', ids)
    .where('later.delivery_state', 'in', UNFINISHED_STATES)
    .execute();
  const leading = await db
    .selectFrom('fax_call')
    .select('lead_job_id')
    .where('lead_job_id', 'in', ids)
    .execute();
  const waiting = await db.selectFrom('fax_line_wait').select('job_id').where('job_id', 'in', ids).execute();
  return new Set([
    ...again.map(({ id }) => id),
    ...leading.map(({ lead_job_id }) => lead_job_id),
    ...waiting.map(({ job_id }) => job_id),
  ]);
}

/**
 * Deletes faxes with their attempts, history, links and marks, a few dozen at most, and keeps which archive has them. Their
 * Idempotency-Keys stay: a repeated request must not be sent.
 */
export async function deleteFaxes(
  tx: WriteTx,
  ids: readonly string[],
  { year, month }: ArchiveOfFax,
  removedAt: string,
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .insertInto('fax_removed')
    .values(ids.map((fax_id) => ({ fax_id, year, month, removed_at: removedAt })))
    .execute();
  for (const table of ['fax_unseen_failure', 'fax_link', 'fax_history', 'fax_attempt'] as const)
    await tx.deleteFrom(table).where('job_id', 'in', ids).execute();
  await tx.deleteFrom('fax_job').where('id', 'in', ids).execute();
}

/** Counts the faxes that were accepted in a span, ISO 8601 UTC, without test faxes. */
export async function countAccepted(db: ReadDb, since: string, until: string): Promise<number> {
  const { count } = await db
    .selectFrom('fax_job')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('created_at', '>=', since)
    .where('created_at', '<', until)
    .where('test', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the archive with which a fax was removed; undefined for any other id. */
export async function archiveOfRemoved(db: ReadDb, id: string): Promise<ArchiveOfFax | undefined> {
  return db.selectFrom('fax_removed').select(['year', 'month']).where('fax_id', '=', id).executeTakeFirst();
}
