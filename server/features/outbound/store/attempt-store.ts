import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { ForbiddenPhaseError, mayEnter } from '../attempt-state.ts';
import type { AttemptFacts, AttemptRow } from '../types.ts';

export async function insertAttempt(tx: WriteTx, row: AttemptRow): Promise<void> {
  await tx.insertInto('fax_attempt').values(row).execute();
}

export async function findAttempt(db: ReadDb, id: string): Promise<AttemptRow | undefined> {
  return db.selectFrom('fax_attempt').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function newestAttempt(db: ReadDb, jobId: string): Promise<AttemptRow | undefined> {
  return db
    .selectFrom('fax_attempt')
    .selectAll()
    .where('job_id', '=', jobId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
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

/**
 * The only statement that changes an attempt. Throws ForbiddenPhaseError for a change the table of phases does not have,
 * or when the attempt is no longer in the phase it was read in: the version of its fax has let that nobody through.
 */
export async function changeAttempt(
  tx: WriteTx,
  before: AttemptRow,
  facts: AttemptFacts,
): Promise<AttemptRow> {
  const { phase } = facts;
  if (phase !== undefined && phase !== before.phase && !mayEnter(before.phase, phase))
    throw new ForbiddenPhaseError(`${before.phase} to ${phase}`);
  const after = await tx
    .updateTable('fax_attempt')
    .set(facts)
    .where('id', '=', before.id)
    .where('phase', '=', before.phase)
    .returningAll()
    .executeTakeFirst();
  if (!after) throw new ForbiddenPhaseError(`an attempt is no longer ${before.phase}`);
  return after;
}

/** Whether another attempt of the account has this provider fax already. */
export async function isTaken(
  db: ReadDb,
  args: { account: string; providerSid: string; exceptAttempt: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('fax_attempt')
    .select('id')
    .where('provider_account', '=', args.account)
    .where('provider_sid', '=', args.providerSid)
    .where('id', '!=', args.exceptAttempt)
    .executeTakeFirst();
  return row !== undefined;
}
