import type { DeliveryState } from '../../../../shared/states/outbound.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareInsert, prepareQuery, prepareUpdate, type ValueOf } from '../../../db/prepared-query.ts';
import type { FaxAbout } from '../../../platform/fax-about.ts';
import type { HoldScope } from '../../../platform/hold-scope.ts';
import { ForbiddenTransitionError, mayTransition } from '../delivery-state.ts';
import type { JobFacts, JobRow, SentFaxAccess } from '../types.ts';
import { underNoHold } from './hold-store.ts';
import { recordSuccess } from './number-store.ts';

export const insertJob = prepareInsert((tx) => tx.insertInto('fax_job'));

const jobById = prepareQuery((db: ReadDb, value: ValueOf<{ id: string }>) =>
  db.selectFrom('fax_job').selectAll().where('id', '=', value('id')),
);

export async function findJob(db: ReadDb, id: string): Promise<JobRow | undefined> {
  return (await jobById(db, { id }))[0];
}

/** Loads the fields that decide who may see these faxes. */
export async function findAccess(
  db: ReadDb,
  ids: readonly string[],
): Promise<(SentFaxAccess & { id: string })[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('fax_job')
    .select(['id', 'created_by', 'mailbox_id', 'test'])
    .where('id', 'in', ids)
    .execute();
}

/**
 * Changes a delivery state; the only statement that does. The version guards it: null when another change came first.
 * Throws ForbiddenMoveError for a change that the table of states does not allow, which is a bug of the caller.
 */
export async function transitionJob(
  tx: WriteTx,
  job: JobRow,
  to: DeliveryState,
  facts: JobFacts & { at: string },
): Promise<JobRow | null> {
  if (!mayTransition(job.delivery_state, to))
    throw new ForbiddenTransitionError(`${job.delivery_state} to ${to}`);
  const { at, ...changes } = facts;
  const row = await changeVersion(tx, job, { ...changes, delivery_state: to, updated_at: at });
  if (row?.delivery_state === 'success' && row.test === 0) await recordSuccess(tx, row.to_number, at);
  return row;
}

const updateVersion = prepareUpdate('fax_job', ['id', 'delivery_version']);

/** Changes the version of a job that was read; null when another change came first. */
async function changeVersion(tx: WriteTx, job: JobRow, changes: Partial<JobRow>): Promise<JobRow | null> {
  const [row] = await updateVersion(tx, { ...changes, delivery_version: job.delivery_version + 1 }, job);
  return row ?? null;
}

/**
 * Records which fax tries a failed one again; null when another does already. Recorded once, together with the fax
 * itself.
 */
export async function recordTriedAgain(
  tx: WriteTx,
  id: string,
  { as, at }: { as: string; at: string },
): Promise<JobRow | null> {
  const row = await tx
    .updateTable('fax_job')
    .set((it) => ({
      tried_again_as: as,
      updated_at: at,
      delivery_version: it('delivery_version', '+', 1),
    }))
    .where('id', '=', id)
    .where('delivery_state', '=', 'failed')
    .where('tried_again_as', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Records facts that arrive without a change of state, e.g. the provider's ID or its count of pages so far. */
export async function updateFacts(
  tx: WriteTx,
  job: JobRow,
  facts: JobFacts & { at: string },
): Promise<JobRow | null> {
  const { at, ...changes } = facts;
  return changeVersion(tx, job, { ...changes, updated_at: at });
}

/**
 * Changes what a fax is about, guarded by its version: null when another change came first. `updated_at` stays, since it
 * is the time of the outcome.
 */
export async function describeJob(
  tx: WriteTx,
  job: JobRow,
  changes: FaxAbout & Pick<JobRow, 'search_text' | 'described_at'>,
): Promise<JobRow | null> {
  return changeVersion(tx, job, changes);
}

/** Jobs whose document has outlived its time: ended before `endedBefore`, still with an artifact, and under no legal hold. */
export async function listExpiredArtifacts(
  db: ReadDb,
  args: { endedBefore: string; holds: readonly HoldScope[]; limit: number },
): Promise<{ id: string; artifact: string }[]> {
  const rows = await db
    .selectFrom('fax_job')
    .select(['id', 'artifact'])
    .where('delivery_state', 'in', ['success', 'failed', 'cancelled'])
    .where('updated_at', '<', args.endedBefore)
    .where('artifact', 'is not', null)
    .where(underNoHold(args.holds))
    .limit(args.limit)
    .execute();
  return rows.map((row) => ({ id: row.id, artifact: row.artifact ?? '' }));
}

export async function forgetArtifact(tx: WriteTx, id: string): Promise<void> {
  await tx.updateTable('fax_job').set({ artifact: null }).where('id', '=', id).execute();
}

/** Those of the artifacts that belong to a fax. */
export async function keptArtifacts(db: ReadDb, artifacts: readonly string[]): Promise<Set<string>> {
  const ids = artifacts.map((name) => name.slice(name.lastIndexOf('/') + 1, -'.pdf'.length));
  const rows = await db.selectFrom('fax_job').select('artifact').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.artifact ?? ''));
}

/** Returns the IDs of those of the faxes that have encoded pages and still keep their document. */
export async function keptEncoded(db: ReadDb, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('fax_job')
    .select('id')
    .where('id', 'in', ids)
    .where('encoded_pages', 'is not', null)
    .where('artifact', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the IDs of those of the faxes that have an original and still keep their document. */
export async function keptOriginals(db: ReadDb, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('fax_job')
    .select('id')
    .where('id', 'in', ids)
    .where('page_edits', 'is not', null)
    .where('artifact', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns true when any fax names a document. */
export async function hasArtifact(db: ReadDb): Promise<boolean> {
  const found = await db
    .selectFrom('fax_job')
    .select('id')
    .where('artifact', 'is not', null)
    .limit(1)
    .execute();
  return found.length > 0;
}

/** Counts the faxes without test faxes. */
/** Returns the time of the oldest fax in a state, ISO 8601 UTC; null when there is none. Test faxes do not count. */
export async function oldestInState(db: ReadDb, state: DeliveryState): Promise<string | null> {
  const row = await db
    .selectFrom('fax_job')
    .select('created_at')
    .where('delivery_state', '=', state)
    .where('test', '=', 0)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at ?? null;
}

export async function countByState(db: ReadDb): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('fax_job')
    .select((eb) => ['delivery_state', eb.fn.countAll<number>().as('count')])
    .where('test', '=', 0)
    .groupBy('delivery_state')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.delivery_state, row.count]));
}
