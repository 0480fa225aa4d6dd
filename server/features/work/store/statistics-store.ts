import { type SqlBool, sql } from 'kysely';
import type { ReadDb } from '../../../db/database.ts';
import type { ItemRow } from '../types.ts';
import type { KeyRange } from './list-key.ts';

/** Fields of an item for statistics. */
export type FiledItem = Pick<
  ItemRow,
  | 'id'
  | 'available_at'
  | 'mailbox_id'
  | 'due_at'
  | 'awaited_until'
  | 'missed_at'
  | 'escalated_to'
  | 'acknowledged_by'
  | 'acknowledged_at'
  | 'done_by'
  | 'done_at'
>;

export interface Span {
  /** ISO 8601 UTC, counted in. */
  readonly since: string;
  /** ISO 8601 UTC, not counted in. */
  readonly until: string;
}

const COLUMNS = [
  'id',
  'available_at',
  'mailbox_id',
  'due_at',
  'awaited_until',
  'missed_at',
  'escalated_to',
  'acknowledged_by',
  'acknowledged_at',
  'done_by',
  'done_at',
] as const;

/** The next items that were filed in a span, the first filed first, without those of test faxes. */
export async function filedAfter(
  db: ReadDb,
  { since, until }: Span,
  last: Pick<FiledItem, 'available_at' | 'id'> | null,
  limit: number,
): Promise<FiledItem[]> {
  const query = db
    .selectFrom('work_item')
    .select(COLUMNS)
    .where('is_test', '=', 0)
    .where('available_at', '>=', last?.available_at ?? since)
    .where('available_at', '<', until)
    .orderBy('available_at')
    .orderBy('id')
    .limit(limit);
  if (last === null) return query.execute();
  const { available_at, id } = last;
  return query.where(sql<SqlBool>`(available_at > ${available_at} or id > ${id})`).execute();
}

/** Number of items of a mailbox that have an owner. */
export interface Owned {
  readonly mailboxId: string | null;
  readonly ownerId: string;
  readonly count: number;
}

/** The next `limit` items of a part of the list, counted by mailbox and owner; `last` is null at the end. */
export async function countOwned(
  db: ReadDb,
  [from, to]: KeyRange,
  after: string | null,
  limit: number,
): Promise<{ owned: Owned[]; last: string | null }> {
  const start = db
    .selectFrom('work_item')
    .select(['mailbox_id', 'owner_id', 'is_test', 'list_key'])
    .where('list_key', '<', to)
    .orderBy('list_key')
    .limit(limit);
  const next = after === null ? start.where('list_key', '>=', from) : start.where('list_key', '>', after);
  const rows = await db
    .selectFrom(next.as('next'))
    .select((eb) => [
      'mailbox_id',
      'owner_id',
      'is_test',
      eb.fn.countAll().as('count'),
      eb.fn.max('list_key').as('last'),
    ])
    .groupBy(['mailbox_id', 'owner_id', 'is_test'])
    .execute();
  const counted = rows.reduce((sum, { count }) => sum + Number(count), 0);
  const keys = rows.map(({ last }) => last).sort();
  const owned = rows
    .filter(({ is_test }) => is_test === 0)
    .map((row) => ({ mailboxId: row.mailbox_id, ownerId: row.owner_id, count: Number(row.count) }));
  return { owned, last: counted < limit ? null : (keys.at(-1) ?? null) };
}
