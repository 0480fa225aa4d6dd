import { sql } from 'kysely';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { FaxNumberTable } from '../../../db/schema/outbound.ts';
import { insertRows } from '../../../db/staging.ts';
import type { JobRow } from '../types.ts';
import type { HistoryEvent } from './history-store.ts';

/** Entry of the history of a fax of an earlier release, with the id that it always gets. */
export interface EarlierHistory extends HistoryEvent {
  readonly id: string;
  readonly job_id: string;
  readonly position: number;
}

/** Returns those of the ids that a sent fax has, or had that was removed with an archive. */
export async function knownJobs(db: ReadDb, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('fax_job').select('id').where('id', 'in', ids).execute();
  const removed = await db.selectFrom('fax_removed').select('fax_id').where('fax_id', 'in', ids).execute();
  return new Set([...rows.map(({ id }) => id), ...removed.map(({ fax_id }) => fax_id)]);
}

export async function insertEarlierJobs(
  tx: WriteTx,
  jobs: readonly JobRow[],
  history: readonly EarlierHistory[],
): Promise<void> {
  await insertRows(tx, 'fax_job', jobs as never);
  await insertRows(tx, 'fax_history', history as never);
}

/** Adds uses of numbers, each named once, whose times may lie before those that are known. */
export async function addNumberUses(tx: WriteTx, used: readonly FaxNumberTable[]): Promise<void> {
  if (used.length === 0) return;
  await tx
    .insertInto('fax_number')
    .values([...used])
    .onConflict((conflict) =>
      conflict.column('to_number').doUpdateSet((eb) => ({
        uses: eb('fax_number.uses', '+', eb.ref('excluded.uses')),
        last_used_at: sql<string>`case when excluded.last_used_at > fax_number.last_used_at
          then excluded.last_used_at else fax_number.last_used_at end`,
        last_success_at: sql<string | null>`case when fax_number.last_success_at is null
          or excluded.last_success_at > fax_number.last_success_at
          then excluded.last_success_at else fax_number.last_success_at end`,
      })),
    )
    .execute();
}
