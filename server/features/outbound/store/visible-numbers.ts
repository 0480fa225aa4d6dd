import { type SqlBool, sql } from 'kysely';
import type { ReadDb } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { FaxNumberTable } from '../../../db/schema/outbound.ts';
import type { SentScope } from '../types.ts';
import { isInScope } from './in-scope.ts';
import { findKeys, type JobFilter } from './job-list.ts';

/** Maximum newest visible faxes from which numbers are taken. */
const MAX_SCANNED = 2_000;

/** Does the same as `listNumbers` with the faxes in the scope alone. */
export async function listVisibleNumbers(
  db: ReadDb,
  scope: SentScope,
  { digits, limit, cursor }: { digits: string; limit: number; cursor?: string | undefined },
): Promise<{ items: FaxNumberTable[]; next_cursor: string | null }> {
  const numbers = await numbersOf(db, { scope, numberPart: digits === '' ? undefined : digits });
  numbers.sort((a, b) => compare(b.last_used_at, a.last_used_at) || compare(b.to_number, a.to_number));
  const [at = '', to = ''] = cursor === undefined ? [] : decodeCursor(cursor, 2);
  const isAfter = (row: FaxNumberTable) =>
    row.last_used_at < at || (row.last_used_at === at && row.to_number < to);
  const rows = cursor === undefined ? numbers : numbers.filter(isAfter);
  return cutPage(rows.slice(0, limit + 1), limit, (row) => [row.last_used_at, row.to_number]);
}

/** Does the same as `findNumber` with the faxes in the scope alone. */
export async function findVisibleNumber(
  db: ReadDb,
  scope: SentScope,
  to: string,
): Promise<FaxNumberTable | undefined> {
  return (await numbersOf(db, { scope, to }))[0];
}

/** Does the same as `listReached` with the faxes in the scope alone. */
export async function listReachedVisibly(
  db: ReadDb,
  scope: SentScope,
  numbers: readonly string[],
  limit: number,
): Promise<{ to: string; last_success_at: string }[]> {
  if (numbers.length === 0) return [];
  const rows = await db
    .selectFrom('fax_job')
    .select((eb) => ['to_number', eb.fn.max('updated_at').as('last_success_at')])
    .where('to_number', 'in', numbers)
    .where('delivery_state', '=', 'success')
    .where(inScope(scope))
    .groupBy('to_number')
    .orderBy('last_success_at', 'desc')
    .orderBy('to_number')
    .limit(limit)
    .execute();
  return rows.map(({ to_number: to, last_success_at }) => ({ to, last_success_at }));
}

/** Returns those of the numbers to which a fax in the scope was sent. */
export async function filterVisible(
  db: ReadDb,
  scope: SentScope,
  numbers: readonly string[],
): Promise<Set<string>> {
  if (numbers.length === 0) return new Set();
  const rows = await db
    .selectFrom('fax_job')
    .select('to_number')
    .distinct()
    .where('to_number', 'in', numbers)
    .where(inScope(scope))
    .execute();
  return new Set(rows.map(({ to_number }) => to_number));
}

/** Builds the condition that a fax is in the scope and no test fax. */
export const inScope = (scope: SentScope) =>
  sql<SqlBool>`fax_job.test = 0 and ${isInScope('fax_job', scope)}`;

async function numbersOf(
  db: ReadDb,
  filter: Pick<JobFilter, 'scope' | 'to' | 'numberPart'>,
): Promise<FaxNumberTable[]> {
  const keys = await findKeys(db, { ...filter, limit: MAX_SCANNED });
  if (keys.length === 0) return [];
  const faxes = await db
    .selectFrom('fax_job')
    .select(['to_number', 'delivery_state', 'created_at', 'updated_at'])
    .where(
      'id',
      'in',
      keys.map(({ id }) => id),
    )
    .execute();
  const numbers = new Map<string, FaxNumberTable>();
  for (const { to_number, delivery_state, created_at, updated_at } of faxes) {
    const known = numbers.get(to_number);
    numbers.set(to_number, {
      to_number,
      last_used_at: later(known?.last_used_at, created_at),
      last_success_at:
        delivery_state === 'success'
          ? later(known?.last_success_at, updated_at)
          : (known?.last_success_at ?? null),
      uses: (known?.uses ?? 0) + 1,
    });
  }
  return [...numbers.values()];
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);

const later = (known: string | null | undefined, at: string) => (known && known > at ? known : at);
