import type { AttemptPhase } from '../../../../shared/states.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { AttemptRow } from '../types.ts';

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

export async function changeAttempt(
  tx: WriteTx,
  id: string,
  changes: Partial<Omit<AttemptRow, 'id' | 'job_id' | 'number' | 'provider_account'>> & {
    phase?: AttemptPhase;
  },
): Promise<void> {
  await tx.updateTable('fax_attempt').set(changes).where('id', '=', id).execute();
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
