import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareInsert, prepareQuery, prepareUpdate, type ValueOf } from '../../../db/prepared-query.ts';
import type { OutboundTables } from '../../../db/schema/outbound.ts';
import { ForbiddenPhaseError, mayEnter, OPEN_PHASES } from '../attempt-state.ts';
import type { AttemptFacts, AttemptRow } from '../types.ts';

export const insertAttempt = prepareInsert((tx) => tx.insertInto('fax_attempt'));

const attemptById = prepareQuery((db: ReadDb, value: ValueOf<{ id: string }>) =>
  db.selectFrom('fax_attempt').selectAll().where('id', '=', value('id')),
);

export async function findAttempt(db: ReadDb, id: string): Promise<AttemptRow | undefined> {
  return (await attemptById(db, { id }))[0];
}

const newestOfJob = prepareQuery((db: ReadDb, value: ValueOf<{ jobId: string }>) =>
  db
    .selectFrom('fax_attempt')
    .selectAll()
    .where('job_id', '=', value('jobId'))
    .orderBy('number', 'desc')
    .limit(1),
);

export async function newestAttempt(db: ReadDb, jobId: string): Promise<AttemptRow | undefined> {
  return (await newestOfJob(db, { jobId }))[0];
}

/** Lists the attempts of a job, oldest first. */
export async function listAttempts(db: ReadDb, jobId: string): Promise<AttemptRow[]> {
  return db.selectFrom('fax_attempt').selectAll().where('job_id', '=', jobId).orderBy('number').execute();
}

/** The newest attempt of each of these jobs. */
export async function newestAttempts(
  db: ReadDb,
  jobIds: readonly string[],
): Promise<Map<string, AttemptRow>> {
  if (jobIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('fax_attempt')
    .selectAll()
    .where('job_id', 'in', jobIds)
    .orderBy('number')
    .execute();
  return new Map(rows.map((row) => [row.job_id, row]));
}

const updateInPhase = prepareUpdate('fax_attempt', ['id', 'phase']);

/**
 * Changes an attempt; the only statement that does. Throws ForbiddenPhaseError for a change that the table of phases
 * does not allow, or when the attempt is no longer in the phase it was read in: the version check of its fax excludes
 * that.
 */
export async function changeAttempt(
  tx: WriteTx,
  before: AttemptRow,
  facts: AttemptFacts,
): Promise<AttemptRow> {
  const { phase } = facts;
  if (phase !== undefined && phase !== before.phase && !mayEnter(before.phase, phase))
    throw new ForbiddenPhaseError(`${before.phase} to ${phase}`);
  const [after] = await updateInPhase(tx, facts, before);
  if (!after) throw new ForbiddenPhaseError(`an attempt is no longer ${before.phase}`);
  return after;
}

/** Ends the plan with this attempt: whatever its outcome, no further step is taken automatically. */
export async function endPlan(tx: WriteTx, id: string): Promise<void> {
  await tx.updateTable('fax_attempt').set({ ends_here: 1 }).where('id', '=', id).execute();
}

/** Maximum IDs in one query that every database accepts. */
const MAX_IDS = 500;

/** Returns those of the attempts that have not ended, or in whose call another has not. */
export async function filterOpen(db: ReadDb, ids: readonly string[]): Promise<Set<string>> {
  const open = new Set<string>();
  for (let from = 0; from < ids.length; from += MAX_IDS) {
    const rows = await db
      .selectFrom('fax_attempt as asked')
      .leftJoin('fax_attempt as other', 'other.call_id', 'asked.call_id')
      .select('asked.id')
      .where('asked.id', 'in', ids.slice(from, from + MAX_IDS))
      .where((eb) => eb.or([eb('asked.phase', 'in', OPEN_PHASES), eb('other.phase', 'in', OPEN_PHASES)]))
      .execute();
    for (const { id } of rows) open.add(id);
  }
  return open;
}

/** Marks the attempts of one call as those whose call was learned from. False when that was done before. */
export async function markLearned(
  tx: WriteTx,
  { id, call_id }: Pick<AttemptRow, 'id' | 'call_id'>,
  at: string,
): Promise<boolean> {
  const result = await tx
    .updateTable('fax_attempt')
    .set({ learned_at: at })
    .where((eb) => (call_id === null ? eb('id', '=', id) : eb('call_id', '=', call_id)))
    .where('learned_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Returns true when an attempt of the account in another call already has this provider fax. */
export async function isTaken(
  db: ReadDb,
  args: { account: string; providerSid: string; except: Pick<AttemptRow, 'id' | 'call_id'> },
): Promise<boolean> {
  const row = await db
    .selectFrom('fax_attempt')
    .select('id')
    .where('provider_account', '=', args.account)
    .where('provider_sid', '=', args.providerSid)
    .where('id', '!=', args.except.id)
    .where((eb) => inOtherCall(eb, args.except.call_id))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The faxes of one call have the same provider fax. */
function inOtherCall(
  eb: ExpressionBuilder<OutboundTables, 'fax_attempt'>,
  callId: string | null,
): Expression<SqlBool> {
  if (callId === null) return eb.lit(true);
  return eb.or([eb('fax_attempt.call_id', 'is', null), eb('fax_attempt.call_id', '!=', callId)]);
}

/** Returns true when another attempt to the same number lost its reference within a time. */
export async function hasOtherUncertain(
  db: ReadDb,
  args: {
    account: string;
    except: Pick<AttemptRow, 'id' | 'call_id'>;
    to: string;
    from: string;
    until: string;
  },
): Promise<boolean> {
  const row = await db
    .selectFrom('fax_attempt')
    .innerJoin('fax_job as j', 'j.id', 'fax_attempt.job_id')
    .select('fax_attempt.id')
    .where('j.to_number', '=', args.to)
    .where('provider_account', '=', args.account)
    .where('fax_attempt.provider_sid', 'is', null)
    .where('fax_attempt.id', '!=', args.except.id)
    .where((eb) => inOtherCall(eb as never, args.except.call_id))
    .where('submitted_at', '>=', args.from)
    .where('submitted_at', '<=', args.until)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
