import type { Capabilities } from '../../../db/capabilities.ts';
import type { ReadDb } from '../../../db/database.ts';
import type { AttemptRow, JobRow } from '../types.ts';

/**
 * The faxes to a number that wait to go in one call with others, oldest first. With `capabilities` they are read for
 * a change: what another process changes just now is left out.
 */
export async function waitingTogether(
  db: ReadDb,
  to: string,
  capabilities?: Capabilities,
): Promise<JobRow[]> {
  const waiting = db
    .selectFrom('fax_job')
    .selectAll()
    .where('to_number', '=', to)
    .where('delivery_state', '=', 'ready')
    .where('together_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id');
  return (capabilities?.skipLocked ? waiting.forUpdate().skipLocked() : waiting).execute();
}

/** Lists those of the faxes that wait to leave together, by ID and number. */
export async function waitingTogetherTo(
  db: ReadDb,
  numbers: readonly string[],
): Promise<{ id: string; to_number: string }[]> {
  if (numbers.length === 0) return [];
  return db
    .selectFrom('fax_job')
    .select(['id', 'to_number'])
    .where('to_number', 'in', numbers)
    .where('delivery_state', '=', 'ready')
    .where('together_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The attempts of calls, in the order of their pages. */
export async function attemptsOfCalls(db: ReadDb, callIds: readonly string[]): Promise<AttemptRow[]> {
  if (callIds.length === 0) return [];
  return db
    .selectFrom('fax_attempt')
    .selectAll()
    .where('call_id', 'in', callIds)
    .orderBy('call_first_page')
    .orderBy('id')
    .execute();
}

/**
 * Returns the attempt whose ID identifies a call at its transport: that of the lead. An attempt that shares no call is
 * returned itself.
 */
export async function attemptOfLead(db: ReadDb, attempt: AttemptRow): Promise<AttemptRow> {
  if (attempt.call_id === null || attempt.call_first_page === null) return attempt;
  const lead = await db
    .selectFrom('fax_attempt')
    .innerJoin('fax_call', (join) =>
      join.onRef('fax_call.id', '=', 'call_id').onRef('lead_job_id', '=', 'job_id'),
    )
    .selectAll('fax_attempt')
    .where('call_id', '=', attempt.call_id)
    .executeTakeFirst();
  return lead ?? attempt;
}
