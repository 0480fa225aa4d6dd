import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { afterCursor, cutSearch, MAX_SEARCHED_ROWS, upToKey } from '../../../db/keyset.ts';
import { prepareQuery, prepareUpdate, type ValueOf } from '../../../db/prepared-query.ts';
import type { FaxNumberTable } from '../../../db/schema/outbound.ts';

const countUse = prepareQuery((tx: WriteTx, value: ValueOf<{ to: string; at: string }>) =>
  tx
    .insertInto('fax_number')
    .values({ to_number: value('to'), last_used_at: value('at'), last_success_at: null, uses: 1 })
    .onConflict((conflict) =>
      conflict
        .column('to_number')
        .doUpdateSet((eb) => ({ last_used_at: value('at'), uses: eb('fax_number.uses', '+', 1) })),
    ),
);

/** A fax was accepted for the number. Last in its transaction: others to the same number wait from here on. */
export async function recordUse(tx: WriteTx, to: string, at: string): Promise<void> {
  await countUse(tx, { to, at });
}

const updateSuccess = prepareUpdate('fax_number', ['to_number']);

export async function recordSuccess(tx: WriteTx, to: string, at: string): Promise<void> {
  await updateSuccess(tx, { last_success_at: at }, { to_number: to });
}

interface NumberFilter {
  /** Digits that the number contains; empty for all numbers. */
  readonly digits: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Maximum numbers that a search reads. */
  readonly lookThrough?: number;
}

/** Lists the most recently used first, keyset-paged. A search that reaches its row limit returns the matches so far. */
export async function listNumbers(
  db: ReadDb,
  { digits, limit, cursor, lookThrough = MAX_SEARCHED_ROWS }: NumberFilter,
): Promise<{ items: FaxNumberTable[]; next_cursor: string | null }> {
  let newest = db.selectFrom('fax_number').orderBy('last_used_at', 'desc').orderBy('to_number', 'desc');
  if (cursor !== undefined) newest = newest.where(afterCursor(cursor, 'last_used_at', 'to_number'));
  let query = newest.selectAll().limit(limit + 1);
  if (digits === '') return cutSearch(await query.execute(), limit, keyOf, null);
  const end = newest.select(['last_used_at', 'to_number']).limit(1);
  const found = await end.offset(lookThrough - 1).executeTakeFirst();
  const last = found ? keyOf(found) : null;
  query = query.where('to_number', 'like', `%${digits}%`);
  if (last !== null) query = query.where(upToKey(last, 'last_used_at', 'to_number'));
  return cutSearch(await query.execute(), limit, keyOf, last);
}

const keyOf = (row: Pick<FaxNumberTable, 'last_used_at' | 'to_number'>): [string, string] => [
  row.last_used_at,
  row.to_number,
];

export async function findNumber(db: ReadDb, to: string): Promise<FaxNumberTable | undefined> {
  return db.selectFrom('fax_number').selectAll().where('to_number', '=', to).executeTakeFirst();
}

/** Lists those of the E.164 numbers that a fax reached, the last one first. */
export async function listReached(
  db: ReadDb,
  numbers: readonly string[],
  limit: number,
): Promise<{ to: string; last_success_at: string }[]> {
  if (numbers.length === 0) return [];
  const rows = await db
    .selectFrom('fax_number')
    .select(['to_number', 'last_success_at'])
    .where('to_number', 'in', numbers)
    .where('last_success_at', 'is not', null)
    .orderBy('last_success_at', 'desc')
    .orderBy('to_number')
    .limit(limit)
    .execute();
  return rows.flatMap(({ to_number: to, last_success_at }) =>
    last_success_at === null ? [] : [{ to, last_success_at }],
  );
}
