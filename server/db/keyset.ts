import { type SqlBool, sql } from 'kysely';
import { RefusalError } from '../platform/errors.ts';

/**
 * Encodes a cursor for keyset paging: a page continues after the last row's key, so page 1,000 costs what page 1 costs. The cursor is the
 * key's values as base64url JSON, opaque to callers.
 */
export function encodeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** Decodes a cursor of `length` values. Throws a 400 refusal when it is invalid. */
export function decodeCursor(cursor: string, length: number): string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (
      Array.isArray(values) &&
      values.length === length &&
      values.every((value) => typeof value === 'string')
    )
      return values;
  } catch {
    // Falls through to the refusal below.
  }
  throw new RefusalError('invalid_cursor');
}

/**
 * Builds the condition for rows after a cursor of two values in a list ordered by both, descending. Throws like
 * `decodeCursor`.
 */
export function afterCursor(cursor: string, column: string, idColumn: string) {
  const [value = '', id = ''] = decodeCursor(cursor, 2);
  const [first, second] = [sql.ref(column), sql.ref(idColumn)];
  // The plain comparison lets both databases seek the index entry instead of scanning to it.
  return sql<SqlBool>`${first} <= ${value} and (${first} < ${value} or ${second} < ${id})`;
}

/** Builds the condition for rows before or at a key of two values in a list ordered by both, descending. */
export function upToKey([value, id]: readonly [string, string], column: string, idColumn: string) {
  const [first, second] = [sql.ref(column), sql.ref(idColumn)];
  return sql<SqlBool>`${first} >= ${value} and (${first} > ${value} or ${second} >= ${id})`;
}

/**
 * Maximum number of rows that one request searches for a text. Without it, a search that matches nothing would read a
 * whole index of a million rows while others wait. The matches among these rows are a page, and the next page continues
 * after them.
 */
export const MAX_SEARCHED_ROWS = 20_000;
/** Minimum for each part of a list that is read in many parts. */
const MIN_SEARCHED_ROWS = 100;

/** Returns the number of rows that are searched in each part. */
export function searchedRowsPerPart(parts: number, max = MAX_SEARCHED_ROWS): number {
  return Math.max(Math.min(MIN_SEARCHED_ROWS, max), Math.floor(max / Math.max(parts, 1)));
}

/** As `cutPage`, for a search that ended at the row with the key `last`; null when it read every row. */
export function cutSearch<T>(
  rows: T[],
  limit: number,
  keyOf: (row: T) => readonly string[],
  last: readonly string[] | null,
): { items: T[]; next_cursor: string | null } {
  const page = cutPage(rows, limit, keyOf);
  return last === null ? page : { ...page, next_cursor: page.next_cursor ?? encodeCursor(last) };
}

/** Cuts a result that was queried with `limit + 1` rows, and creates the cursor of the next page. */
export function cutPage<T>(
  rows: T[],
  limit: number,
  keyOf: (row: T) => readonly string[],
): { items: T[]; next_cursor: string | null } {
  if (rows.length <= limit) return { items: rows, next_cursor: null };
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: last ? encodeCursor(keyOf(last)) : null };
}
