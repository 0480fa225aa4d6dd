import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ReadDb } from '../../../db/database.ts';
import type { SentScope, TestFaxes } from '../types.ts';
import { isInScope } from './in-scope.ts';

// Faxes that wait for a time: scheduled, for hours, or to be sent together with others. The last of these times counts.

/** A fax that waits, with the time when it leaves. */
export interface WaitingKey {
  readonly id: string;
  readonly leaves_at: string;
  readonly broadcast_id: string | null;
}

interface WaitingFilter {
  /** Null for all faxes. */
  readonly scope: SentScope | null;
  readonly testFaxes: TestFaxes;
  /** Stored time: those that leave after it. */
  readonly after: string;
}

/** Builds the condition that a time of a fax, of those that it waits for, is after this one. */
export const waitsAfter = (after: string): RawBuilder<SqlBool> => sql<SqlBool>`(${isWaiting}
  and (send_at > ${after} or hours_at > ${after} or together_at > ${after}))`;

/** The condition of the index: written out, because SQLite uses it for nothing else. */
const isWaiting = sql`delivery_state = 'ready' and coalesce(send_at, hours_at, together_at) is not null`;

const later = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) =>
  sql<string>`case when coalesce(${one}, '') >= coalesce(${other}, '') then ${one} else ${other} end`;
const leavesAt = later(later(sql`send_at`, sql`hours_at`), sql`together_at`);

/** Lists those that leave before a stored time, earliest first. */
export async function listWaiting(
  db: ReadDb,
  { until, limit, ...filter }: WaitingFilter & { until: string; limit: number },
): Promise<WaitingKey[]> {
  const waiting = selectWaiting(db, filter).select(['id', 'broadcast_id', leavesAt.as('leaves_at')]);
  return db
    .selectFrom(waiting.as('waiting'))
    .selectAll()
    .where('leaves_at', '<', until)
    .orderBy('leaves_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Counts them, and those of a person. */
export async function countWaiting(
  db: ReadDb,
  { personId, ...filter }: WaitingFilter & { personId: string },
): Promise<{ all: number; mine: number }> {
  const rows = await selectWaiting(db, filter)
    .select((eb) => ['created_by', eb.fn.countAll<number | string>().as('count')])
    .groupBy('created_by')
    .execute();
  const sum = (counted: typeof rows) => counted.reduce((total, { count }) => total + Number(count), 0);
  return { all: sum(rows), mine: sum(rows.filter(({ created_by }) => created_by === personId)) };
}

function selectWaiting(db: ReadDb, { scope, testFaxes, after }: WaitingFilter) {
  let query = db.selectFrom('fax_job').where(waitsAfter(after));
  if (scope !== null) query = query.where(isInScope('fax_job', scope));
  if (testFaxes !== 'with')
    query = query.where((eb) => eb('test', '=', eb.lit(testFaxes === 'only' ? 1 : 0)));
  return query;
}
