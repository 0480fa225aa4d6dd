import type { FaxHistoryKind } from '../../../../shared/history-kinds.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareInsert, prepareQuery, type ValueOf } from '../../../db/prepared-query.ts';
import { newId } from '../../../platform/ids.ts';
import type { JobRow } from '../types.ts';

export interface HistoryEvent {
  readonly kind: FaxHistoryKind;
  readonly occurred_at: string;
  readonly actor: string;
  readonly text: string;
}

const insertFirst = prepareInsert((tx) => tx.insertInto('fax_history'));

/** Inserts the first history entry of a fax that this transaction inserted. */
export async function startHistory(tx: WriteTx, jobId: string, event: HistoryEvent): Promise<void> {
  await insertFirst(tx, { id: newId(), job_id: jobId, ...event, position: 1 });
}

type NewEvent = HistoryEvent & { id: string; jobId: string };

const insertNext = prepareQuery((tx: WriteTx, value: ValueOf<NewEvent>) =>
  tx.insertInto('fax_history').values((eb) => ({
    id: value('id'),
    job_id: value('jobId'),
    kind: value('kind'),
    text: value('text'),
    occurred_at: value('occurred_at'),
    actor: value('actor'),
    position: eb
      .selectFrom('fax_history')
      .select((row) => row(row.fn.coalesce(row.fn.max('position'), row.lit(0)), '+', row.lit(1)).as('next'))
      .where('job_id', '=', value('jobId')),
  })),
);

/** Appends an entry to the history of a fax. */
export async function addHistory(tx: WriteTx, jobId: string, event: HistoryEvent): Promise<void> {
  await insertNext(tx, { ...event, id: newId(), jobId });
}

/** Lists the history in the order of recording, which a clock that was set back does not change. */
export async function listHistory(db: ReadDb, jobId: string): Promise<HistoryEvent[]> {
  return db
    .selectFrom('fax_history')
    .select(['kind', 'occurred_at', 'actor', 'text'])
    .where('job_id', '=', jobId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** Returns true when the history has an entry of this kind with this text. */
export async function hasHistory(
  db: ReadDb,
  jobId: string,
  event: { kind: FaxHistoryKind; text: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('fax_history')
    .select('id')
    .where('job_id', '=', jobId)
    .where('kind', '=', event.kind)
    .where('text', '=', event.text)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the IDs of at most `limit` faxes with a history entry after `historyId`, in no particular order. History IDs
 * follow the time, so this reads only the end of the primary key.
 */
export async function changedIds(db: ReadDb, historyId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('fax_history')
    .select('job_id')
    .distinct()
    .where('id', '>', historyId)
    .limit(limit)
    .execute();
  return rows.map(({ job_id }) => job_id);
}

export type ChangedFax = Pick<JobRow, 'id' | 'delivery_version' | 'created_by' | 'mailbox_id' | 'test'>;

/** Lists at most `limit` faxes with a history entry after `historyId` by any gateway, as {@link changedIds} finds them. */
export async function changedSince(db: ReadDb, historyId: string, limit: number): Promise<ChangedFax[]> {
  const changed = db.selectFrom('fax_history').select('job_id').where('id', '>', historyId);
  return db
    .selectFrom('fax_job')
    .select(['id', 'delivery_version', 'created_by', 'mailbox_id', 'test'])
    .where('id', 'in', changed)
    .limit(limit)
    .execute();
}
